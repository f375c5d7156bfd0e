// graph-gophers/graphql-go with Go's net/http, with the data of birds.graphql. All requests get status 200, as with its
// relay handler.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"

	graphql "github.com/graph-gophers/graphql-go"
)

type bird struct {
	id      graphql.ID
	name    string
	habitat string
}

func (b *bird) ID() graphql.ID  { return b.id }
func (b *bird) Name() string    { return b.name }
func (b *bird) Habitat() string { return b.habitat }

type place struct {
	id    graphql.ID
	title string
}

func (p *place) ID() graphql.ID { return p.id }
func (p *place) Title() string  { return p.title }

var birds = []*bird{{"b1", "Apus apus", "TOWN"}, {"b2", "Apus melba", "CLIFF"}, {"b3", "Apus pallidus", "TOWN"}}
var places = []*place{{"p1", "Apus Street"}}

type any interface{ ID() graphql.ID }

type node struct{ any }

func (n *node) ToBird() (*bird, bool)   { one, is := n.any.(*bird); return one, is }
func (n *node) ToPlace() (*place, bool) { one, is := n.any.(*place); return one, is }

type edge struct{ bird *bird }

func (e *edge) Cursor() string { return string(e.bird.id) }
func (e *edge) Node() *bird    { return e.bird }

type pageInfo struct {
	end     *string
	hasNext bool
}

func (p *pageInfo) EndCursor() *string { return p.end }
func (p *pageInfo) HasNextPage() bool  { return p.hasNext }

type connection struct {
	edges []*edge
	info  *pageInfo
}

func (c *connection) Edges() []*edge      { return c.edges }
func (c *connection) PageInfo() *pageInfo { return c.info }

type root struct{}

func (root) Node(arguments struct{ ID graphql.ID }) *node {
	for _, one := range birds {
		if one.id == arguments.ID {
			return &node{one}
		}
	}
	for _, one := range places {
		if one.id == arguments.ID {
			return &node{one}
		}
	}
	return nil
}

func (root) Search(arguments struct{ Text string }) []*node {
	found := []*node{}
	for _, one := range birds {
		if strings.Contains(one.name, arguments.Text) {
			found = append(found, &node{one})
		}
	}
	for _, one := range places {
		if strings.Contains(one.title, arguments.Text) {
			found = append(found, &node{one})
		}
	}
	return found
}

type filter struct {
	Habitat    *string
	NameBegins *string
}

func (root) Birds(arguments struct {
	First  int32
	After  *string
	Filter *filter
}) *connection {
	page := &connection{edges: []*edge{}, info: &pageInfo{}}
	begun := arguments.After == nil
	for _, one := range birds {
		wanted := arguments.Filter
		if wanted != nil && (wanted.Habitat != nil && *wanted.Habitat != one.habitat ||
			wanted.NameBegins != nil && !strings.HasPrefix(one.name, *wanted.NameBegins)) {
			continue
		}
		if !begun {
			begun = string(one.id) == *arguments.After
		} else if len(page.edges) < int(arguments.First) {
			end := string(one.id)
			page.edges = append(page.edges, &edge{one})
			page.info.end = &end
		} else {
			page.info.hasNext = true
		}
	}
	return page
}

func (root) Broken() (*string, error) { return nil, errors.New("It is broken.") }

func (root) Rename(arguments struct {
	ID   graphql.ID
	Name string
}) *bird {
	for _, one := range birds {
		if one.id == arguments.ID {
			one.name = arguments.Name
			return one
		}
	}
	return nil
}

func main() {
	definitions, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	schema := graphql.MustParseSchema(string(definitions), &root{}, graphql.UseStringDescriptions())
	http.HandleFunc("/graphql", func(response http.ResponseWriter, request *http.Request) {
		var parameters struct {
			Query         string
			OperationName string
			Variables     map[string]interface{}
		}
		if request.Method == "GET" {
			parameters.Query = request.URL.Query().Get("query")
			parameters.OperationName = request.URL.Query().Get("operationName")
			_ = json.Unmarshal([]byte(request.URL.Query().Get("variables")), &parameters.Variables)
		} else if err := json.NewDecoder(request.Body).Decode(&parameters); err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		result := schema.Exec(request.Context(), parameters.Query, parameters.OperationName, parameters.Variables)
		response.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(response).Encode(result)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/graphql\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
