import os

from generated import AuthenticatedClient
from generated.api.transparents import transparents_create, transparents_get
from generated.models import (
    PixRequest,
    TransparentsCreateResponse200,
    TransparentsGetResponse200,
)

client = AuthenticatedClient(base_url=os.environ["RECEBE_URL"], token=os.environ["RECEBE_KEY"])
body = PixRequest.from_dict({"method": "PIX", "data": {"amount": 1500, "metadata": {"client": "openapi-python-client"}}})
created = transparents_create.sync(client=client, body=body)
assert isinstance(created, TransparentsCreateResponse200), created
found = transparents_get.sync(client=client, id=created.data.id)
assert isinstance(found, TransparentsGetResponse200), found
print(f"{found.data.id} {found.data.status} {found.data.amount}")
