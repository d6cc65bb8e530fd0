"""One module per validator library, imported when an object of its library turns up."""
