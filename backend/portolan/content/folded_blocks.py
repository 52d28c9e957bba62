"""Return unopened blocks of a form unchanged, so that their fields need not be rendered.

See ``studio/static/studio/folded-blocks.js``. The values in the form are signed, so that only our own are accepted.
"""

import json
from typing import Any, Final

from django.core import signing
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.serializers.json import DjangoJSONEncoder
from wagtail import blocks

_SIGNER: Final = signing.Signer(salt="portolan.folded-block")


class FoldedStream(blocks.StreamBlock):
    def get_form_state(self, value: Any) -> list[dict[str, Any]]:
        states = super().get_form_state(value)
        for state, child in zip(states, value or (), strict=True):
            stored = child.block.get_prep_value(child.value)
            state["stored"] = _SIGNER.sign(json.dumps(stored, cls=DjangoJSONEncoder, separators=(",", ":")))
        return states

    def value_from_datadict(self, data: Any, files: Any, prefix: str) -> blocks.StreamValue:
        """Read the blocks. Raise BadRequest for data that our forms never send.

        Counts, types and texts of blocks are not validated.
        """
        try:
            if int(data[f"{prefix}-count"]) > len(data):
                raise ValueError("fewer fields than blocks")
            return self._read(data, files, prefix)
        except SuspiciousOperation:
            raise
        except Exception as error:
            raise BadRequest(f"The blocks of {prefix} cannot be read: {error!r}") from error

    def _read(self, data: Any, files: Any, prefix: str) -> blocks.StreamValue:
        """Read all blocks. Unopened blocks keep their numbers among the others."""
        folded = {
            number: {"type": data[f"{at}-type"], "value": _read(stored), "id": data.get(f"{at}-id")}
            for number in range(int(data[f"{prefix}-count"]))
            if (stored := data.get(f"{(at := f'{prefix}-{number}')}-folded"))
            and data[f"{at}-type"] in self.child_blocks
        }
        if not folded:
            opened: blocks.StreamValue = super().value_from_datadict(data, files, prefix)
            return opened
        values = dict(zip(folded, self.to_python([*folded.values()]), strict=True))
        children = []
        for number in range(int(data[f"{prefix}-count"])):
            at = f"{prefix}-{number}"
            block = self.child_blocks.get(data[f"{at}-type"])
            if data[f"{at}-deleted"] or block is None:
                continue
            value = values[number].value if number in values else block.value_from_datadict(data, files, f"{at}-value")
            children.append((int(data[f"{at}-order"]), number, (block.name, value, data.get(f"{at}-id"))))
        return blocks.StreamValue(self, [child for _, _, child in sorted(children, key=lambda each: each[:2])])


def _read(signed: str) -> Any:
    try:
        return json.loads(_SIGNER.unsign(signed))
    except signing.BadSignature as error:
        raise SuspiciousOperation(
            "A block came back otherwise than it went into the form, so nothing is saved. Open the page once more."
        ) from error
