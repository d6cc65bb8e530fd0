"""Did many recorded calls keep their contracts?"""
