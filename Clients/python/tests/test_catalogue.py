"""A catalogue that is built in code is what the store sells."""


def test_the_store_sells_what_was_built(store):
    sold = store.connect("GET", f"/apps/{store.bundle_id}/catalogue")
    assert [group["referenceName"] for group in sold["groups"]] == ["Pro"]
    products = {one["id"]: one for one in sold["products"]}
    assert set(products) == {"pro.monthly", "basic.monthly", "coins", "lifetime", "season"}
    assert products["coins"]["type"] == "Consumable"
    assert products["lifetime"]["type"] == "Non-Consumable"
    assert products["season"]["type"] == "Non-Renewing Subscription"


def test_offers_are_what_was_built(store):
    path = f"/apps/{store.bundle_id}/products/basic.monthly/offers"
    offers = {
        one["type"]: (one.get("id"), one["mode"], one["period"], one["periodCount"], one["price"])
        for one in store.connect("GET", path)["offers"]}
    assert offers == {
        "INTRODUCTORY": (None, "FREE_TRIAL", "P1W", 1, 0),
        "OFFER_CODE": ("SPRING", "FREE_TRIAL", "P1M", 1, 0),
        "PROMOTIONAL": ("loyal", "PAY_UP_FRONT", "P3M", 1, 9_990),
        "WIN_BACK": ("back", "PAY_AS_YOU_GO", "P1M", 3, 1_990),
    }


def test_a_storefront_has_its_currency(tmp_path):
    from perennial_testing import Catalogue, RunningStore, Store
    catalogue = Catalogue("DEU").product("münzen", "1.29", "Consumable")
    running = RunningStore(tmp_path, catalogue, start="2027-05-01T00:00:00Z")
    try:
        store = Store(running.ready)
        assert store.now().year == 2027
        assert store.customer().buy("münzen").payload["currency"] == "EUR"
    finally:
        running.stop()
