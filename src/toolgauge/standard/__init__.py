"""Any validator becomes a contract."""
