"""Words for the texts of the comparison."""

from typing import Final

WORDS: Final = (
    "the of and to in a is for that with on as are by we our your from this at be can it or which team product data software "
    "engineering delivery platform cloud mobile web service client business project design quality testing security process "
    "architecture integration release roadmap developer analyst manager budget timeline healthcare finance logistics retail "
    "banking insurance travel telecom media automotive manufacturing energy startup enterprise solution system interface user "
    "experience research discovery workshop prototype backlog sprint review feedback metric performance scale migration legacy "
    "database pipeline automation monitoring incident support maintenance compliance audit privacy consent payment booking "
    "catalogue search dashboard report analytics model learning vision language device sensor gateway protocol network region "
    "office country market partner vendor contract agreement scope estimate risk approach method practice standard open source "
    "library framework component module server browser native hybrid reactive functional typed tested measured documented "
    "improve reduce increase build deliver launch extend replace simplify connect secure monitor train hire onboard lead plan "
    "every each more most new long short early late clear simple complex reliable modern custom dedicated flexible remote "
    "several many few first second third last next before after during while because although however therefore instead "
    "month week year day hour percent million thousand people engineers designers customers patients drivers merchants "
    "company industry sector domain knowledge skill career value cost growth revenue saving speed uptime latency load storage"
).split()
TITLES: Final = (
    "Software Engineering", "Dedicated Teams", "Mobile Development", "Web Development", "Quality Assurance",
    "Cloud and DevOps", "Data Platforms", "Product Design", "Team Augmentation", "Telemedicine", "Digital Banking",
    "Fleet Management", "Smart Manufacturing", "E-commerce", "Media Streaming", "Real Estate", "Travel Booking",
    "Insurance Claims", "IoT", "AI Tools",
)  # fmt: skip
LANGUAGES: Final = ("en", "uk", "de", "ar", "az", "kz", "pl", "fr", "us", "in", "es", "it")
COUNTRIES: Final = (
    "Germany", "France", "Poland", "United Kingdom", "United Arab Emirates", "Azerbaijan", "Kazakhstan", "United States",
    "India", "Spain", "Italy", "Other",
)  # fmt: skip
CITIES: Final = ("Dallas", "Berlin", "Dubai", "Baku", "Paris", "Almaty", "Warsaw", "London")
NETWORKS: Final = ("facebook", "xing", "linkedin", "twitter", "instagram", "behance", "dribbble")
