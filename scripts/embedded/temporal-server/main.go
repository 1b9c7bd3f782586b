// A Temporal server for one machine: the development server of Temporal's command line with SQLite and the Web UI,
// and nothing else of it. It takes those arguments of `temporal server start-dev` that Recebe uses.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/google/uuid"
	"github.com/temporalio/cli/temporalcli/devserver"
	uiversion "github.com/temporalio/ui-server/v2/server/version"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/headers"
	_ "modernc.org/sqlite"
	_ "time/tzdata"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Printf("temporal for Recebe (Server %s, UI %s)\n", headers.ServerVersion, uiversion.UIVersion)
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

// run serves until a signal ends it.
func run(args []string) error {
	if len(args) < 2 || args[0] != "server" || args[1] != "start-dev" {
		return fmt.Errorf("the only command is: server start-dev")
	}
	options, err := readOptions(args[2:])
	if err != nil {
		return err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	server, err := devserver.Start(*options)
	if err != nil {
		return fmt.Errorf("failed starting server: %w", err)
	}
	defer server.Stop()
	<-signals
	return nil
}

func readOptions(args []string) (*devserver.StartOptions, error) {
	flags := flag.NewFlagSet("start-dev", flag.ContinueOnError)
	ip := flags.String("ip", "127.0.0.1", "")
	port := flags.Int("port", 7233, "")
	uiPort := flags.Int("ui-port", 8233, "")
	headless := flags.Bool("headless", false, "")
	database := flags.String("db-filename", "", "")
	level := flags.String("log-level", "warn", "")
	pragmas, dynamicConfig, attributes := pairs{}, pairs{}, pairs{}
	flags.Var(pragmas, "sqlite-pragma", "")
	flags.Var(dynamicConfig, "dynamic-config-value", "")
	flags.Var(attributes, "search-attribute", "")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	options := devserver.StartOptions{
		FrontendIP:             *ip,
		FrontendPort:           *port,
		Namespaces:             []string{"default"},
		ClusterID:              uuid.NewString(),
		MasterClusterName:      "active",
		CurrentClusterName:     "active",
		InitialFailoverVersion: 1,
		DatabaseFile:           *database,
		SqlitePragmas:          pragmas,
	}
	if err := options.LogLevel.UnmarshalText([]byte(*level)); err != nil {
		return nil, err
	}
	options.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: options.LogLevel}))
	checked := []int{*port}
	if !*headless {
		options.UIIP, options.UIPort = *ip, *uiPort
		checked = append(checked, *uiPort)
	}
	for _, each := range checked {
		if err := devserver.CheckPortFree(*ip, each); err != nil {
			return nil, fmt.Errorf("port %d: %w", each, err)
		}
	}
	var err error
	if options.DynamicConfigValues, err = dynamicConfigOf(dynamicConfig); err != nil {
		return nil, err
	}
	options.SearchAttributes, err = searchAttributesOf(attributes)
	return &options, err
}

// dynamicConfigOf has the same defaults as Temporal's command line: new search attributes are visible at once, which
// takes more queries.
func dynamicConfigOf(given pairs) (map[string]any, error) {
	values := map[string]any{
		"system.forceSearchAttributesCacheRefreshOnRead": true,
		"frontend.persistenceMaxQPS":                     10000,
		"history.persistenceMaxQPS":                      45000,
	}
	for name, text := range given {
		var value any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			return nil, fmt.Errorf("dynamic config value %s: %w", name, err)
		}
		values[name] = plainNumber(value)
	}
	return values, nil
}

// plainNumber makes an int of a whole number, as the server ignores other integer types.
func plainNumber(value any) any {
	number, ok := value.(json.Number)
	if !ok {
		return value
	}
	if whole, err := number.Int64(); err == nil {
		return int(whole)
	}
	float, _ := number.Float64()
	return float
}

func searchAttributesOf(given pairs) (map[string]enums.IndexedValueType, error) {
	types := map[string]enums.IndexedValueType{}
	for name, kind := range given {
		number, err := enums.IndexedValueTypeFromString(kind)
		if err != nil {
			return nil, fmt.Errorf("search attribute %s: %w", name, err)
		}
		types[name] = number
	}
	return types, nil
}

// pairs collects a flag that is given several times as NAME=VALUE.
type pairs map[string]string

func (p pairs) String() string { return "" }

func (p pairs) Set(text string) error {
	name, value, found := strings.Cut(text, "=")
	if !found {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	p[name] = value
	return nil
}
