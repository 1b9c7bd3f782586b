import java.util.Collections;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.TransparentsApi;
import org.openapitools.client.model.PixCharge;
import org.openapitools.client.model.PixData;
import org.openapitools.client.model.PixRequest;
import org.openapitools.client.model.TransparentsCreateRequest;

/** Creates a charge with the generated client, and finds it. */
public class Charge {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("RECEBE_URL"));
    client.setBearerToken(System.getenv("RECEBE_KEY"));
    TransparentsApi transparents = new TransparentsApi(client);

    PixData data = new PixData().amount(1500L).metadata(Collections.singletonMap("client", "openapi-generator java"));
    PixRequest pix = new PixRequest().method(PixRequest.MethodEnum.PIX).data(data);
    String id = transparents.transparentsCreate(new TransparentsCreateRequest(pix), null).getData().getPixCharge().getId();
    PixCharge charge = transparents.transparentsGet(id).getData().getPixCharge();
    System.out.println(charge.getId() + " " + charge.getStatus() + " " + charge.getAmount());
    System.exit(0);
  }
}
