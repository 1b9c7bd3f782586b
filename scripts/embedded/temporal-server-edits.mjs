import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * What is left out of Temporal's server, as its development server on SQLite uses none of it: archives at Google and
 * Amazon, clients of MySQL, Postgres and Cassandra, and membership of a cluster. With these come a third of all packages.
 * A case ends before the next `case`, `default` or closing brace.
 */
const EDITS = {
  'common/archiver/provider/provider.go': [
    [/\n\t"go\.temporal\.io\/server\/common\/archiver\/(?:gcloud|s3store)"/g, ''],
    [/\tcase (?:gcloud|s3store)\.URIScheme:\n[\s\S]*?(?=\tcase |\tdefault:)/g, ''],
  ],
  'common/persistence/visibility/defs.go': [
    [/\n\t"go\.temporal\.io\/server\/common\/persistence\/sql\/sqlplugin\/(?:mysql|postgresql)"/g, ''],
    [/mysql\.PluginName, postgresql\.PluginName, postgresql\.PluginNamePGX, /, ''],
  ],
  'common/persistence/visibility/store/sql/query_converter_factory.go': [
    [/\n\t"go\.temporal\.io\/server\/common\/persistence\/sql\/sqlplugin\/(?:mysql|postgresql)"/g, ''],
    [/\tcase (?:mysql|postgresql)\.PluginName.*\n[\s\S]*?(?=\tcase |\tdefault:)/g, ''],
  ],
  'common/persistence/client/fx.go': [
    [/\n\t"go\.temporal\.io\/server\/common\/persistence\/cassandra"/, ''],
    [/\tcase defaultStoreCfg\.Cassandra != nil:\n[\s\S]*?(?=\tcase )/, ''],
  ],
  'temporal/fx.go': [
    [/\n\t"go\.temporal\.io\/server\/common\/(?:membership\/ringpop|persistence\/cassandra)"/g, ''],
    [/\tif err := cassandra\.VerifyCompatibleVersion\([\s\S]*?\n\t\}\n/, ''],
    [
      /membershipModule := ringpop\.MembershipModule\n[\s\S]*?\n\t\}\n/,
      'membershipModule := static.MembershipModule(params.StaticServiceHosts)\n',
    ],
  ],
  'common/persistence/visibility/store/elasticsearch/client/aws.go': [
    [
      /import \([\s\S]*/,
      `import (
	"errors"
	"net/http"
)

func NewAwsHttpClient(config ESAWSRequestSigningConfig) (*http.Client, error) {
	if !config.Enabled {
		return nil, nil
	}
	return nil, errors.New("this build has no client of AWS")
}
`,
    ],
  ],
};

/** Folders of the server's module that no package of ours needs. */
const LEFT_OUT = ['cmd', 'config', 'develop', 'docker', 'docs', 'proto', 'temporaltest', 'tools'];

/**
 * Copies the server's sources, edited, so that a build does not compile what is never used.
 * @throws Error if an edit does not fit the sources.
 */
export function copyServerSources(from, to) {
  cpSync(from, to, {
    recursive: true,
    filter: (path) =>
      !path.endsWith('_test.go') && !LEFT_OUT.includes(path.slice(from.length + 1).split(sep)[0]),
  });
  for (const [file, edits] of Object.entries(EDITS)) edit(join(to, file), edits);
}

function edit(file, edits) {
  let text = readFileSync(file, 'utf8');
  for (const [found, replacement] of edits) {
    const edited = text.replace(found, replacement);
    if (edited === text) throw new Error(`${file} is not as expected: ${found}`);
    text = edited;
  }
  // Sources in Go's cache are read-only, and so are their copies.
  chmodSync(file, 0o644);
  writeFileSync(file, text);
}
