// Creates a charge with the client in ./generated, and finds it.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	recebe "example.com/recebe/client"
)

func main() {
	configuration := recebe.NewConfiguration()
	configuration.Servers = recebe.ServerConfigurations{{URL: os.Getenv("RECEBE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("RECEBE_KEY"))
	client := recebe.NewAPIClient(configuration)
	ctx := context.Background()

	var name interface{} = "openapi-generator go"
	data := recebe.NewPixData(1500)
	data.Metadata = map[string]*interface{}{"client": &name}
	request := recebe.PixRequestAsTransparentsCreateRequest(recebe.NewPixRequest("PIX", *data))
	created, _, err := client.TransparentsAPI.TransparentsCreate(ctx).TransparentsCreateRequest(request).Execute()
	if err != nil {
		log.Fatal(err)
	}
	found, _, err := client.TransparentsAPI.TransparentsGet(ctx).Id(created.Data.PixCharge.Id).Execute()
	if err != nil {
		log.Fatal(err)
	}
	charge := found.Data.PixCharge
	fmt.Println(charge.Id, charge.Status, charge.Amount)
}
