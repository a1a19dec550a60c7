"""One module per API. A handler turns a decoded request into a response; `registry` knows which are served."""
