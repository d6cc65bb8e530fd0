"""A function's signature as a validator: annotations, defaults, docstring.

The work is pydantic's; the extra ``toolgauge[pydantic]`` brings it. Importing this
package loads nothing of it.
"""
