import pytest

from portolan.domain.videos import find_video_id

ID = "aqz-KE-bpKQ"


@pytest.mark.parametrize(
    "text",
    [
        ID,
        f"  {ID}\n",
        f"https://www.youtube.com/watch?v={ID}",
        f"https://www.youtube.com/watch?list=PL1&v={ID}&t=10s#c",
        f"http://m.youtube.com/watch?v={ID}",
        f"https://youtu.be/{ID}?si=abc",
        f"youtu.be/{ID}",
        f"www.youtube.com/watch?v={ID}",
        f"https://youtube.com/shorts/{ID}",
        f"https://www.youtube.com/live/{ID}?feature=share",
        f"https://www.youtube-nocookie.com/embed/{ID}",
        f"https://www.youtube.com/embed/{ID}/",
    ],
)
def test_finds_the_id(text: str) -> None:
    assert find_video_id(text) == ID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "aqz-KE-bpK",
        f"{ID}x",
        "aqz KE bpKQ",
        "https://www.youtube.com/",
        "https://www.youtube.com/watch",
        "https://www.youtube.com/watch?v=short",
        "https://www.youtube.com/@channel",
        f"https://example.com/watch?v={ID}",
        f"https://youtube.com.example/watch?v={ID}",
        f"javascript://youtube.com/watch?v={ID}",
        f"ftp://youtu.be/{ID}",
        "https://[youtube",
        "https://youtu.be",
    ],
)
def test_finds_none_where_there_is_none(text: str) -> None:
    assert find_video_id(text) is None
