"""The data that both test servers serve: an author, her books, their slow reviews, and a shelf with pages."""

AUTHORS = {
    "1": {"id": "1", "name": "Selma Lagerlöf", "bookIds": ["10", "11", "12"]},
    "2": {"id": "2", "name": "夏目漱石", "bookIds": ["20"]},
}
BOOKS = {
    "10": {"id": "10", "title": "Gösta Berlings saga", "year": 1891},
    "11": {"id": "11", "title": "Nils Holgersson", "year": 1906},
    "12": {"id": "12", "title": "Jerusalem", "year": 1901},
    "20": {"id": "20", "title": "こころ", "year": 1914},
}
REVIEWS = {"10": ["bold", "restless"], "11": ["geese!"], "12": [], "20": ["quiet"]}
SHELF = [f"Volume {number}" for number in range(1, 24)]
