import os

from recebe_client import ApiClient, Configuration, PixData, PixRequest, TransparentsApi, TransparentsCreateRequest

configuration = Configuration(host=os.environ["RECEBE_URL"], access_token=os.environ["RECEBE_KEY"])
with ApiClient(configuration) as client:
    transparents = TransparentsApi(client)
    data = PixData(amount=1500, metadata={"client": "openapi-generator python"})
    created = transparents.transparents_create(TransparentsCreateRequest(PixRequest(method="PIX", data=data)))
    charge = transparents.transparents_get(created.data.actual_instance.id).data.actual_instance
    print(charge.id, charge.status, charge.amount)
