"""Names of places on the demo's charts."""

NAMES = (
    "ORIEL", "QUILL NESS", "TESSEL", "HARROW", "KESTREL", "ALDER", "MARL", "COLDER", "SPINDLE", "TARN", "GANNET",
    "TILLER", "LOW LIGHT", "FENDER", "HAWSE", "BRINE", "OAKUM", "THOLE", "REEVE", "LEAD", "HITHE", "PLUMB", "STAITHE",
    "NARE", "SKERRY", "HOLM", "VOE", "EBB", "LUFF", "STAY", "YARD", "KEEL",
)  # fmt: skip
