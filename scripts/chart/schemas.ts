import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';

/** The oldest version that the chart allows, and the newest that its schemas are for. */
export const KUBERNETES_VERSIONS = ['1.27.0', '1.37.0'] as const;

/** Where a version's schemas are, with names as kubeconform looks them up. */
export function locationOf(folder: string, version: string): string {
  const schemas = join(folder, 'kubernetes_validate', 'kubernetes-json-schema');
  return join(schemas, `v${version}-local-strict`, '{{.ResourceKind}}{{.KindSuffix}}.json');
}

/** Has schemas refer to each other as files. As published, they have addresses, at which a validator would look for them. */
export function prepareKubernetesSchemas(folder: string): void {
  for (const version of KUBERNETES_VERSIONS) {
    for (const file of globSync(join(folder, `v${version}-local-strict`, '*.json'))) {
      const text = readFileSync(file, 'utf8');
      const local = text
        .replaceAll('"/api/_definitions.json#', '"_definitions.json#')
        .replace(/"\$id": "https:[^"]*"/, '"x-published-as": ""');
      writeFileSync(file, local);
    }
  }
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
}

interface CustomResource {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

/** Writes a schema for each definition of a custom resource in `definitions`. It refuses what a cluster would silently drop. */
export function writeSchemasOfCustomResources(definitions: string, target: string): void {
  for (const file of globSync(join(definitions, '*.yaml'))) {
    const { spec } = parseYaml(readFileSync(file, 'utf8')) as CustomResource;
    for (const { name, schema } of spec.versions) {
      const path = join(target, `${spec.names.kind.toLowerCase()}-${spec.group.split('.')[0]}-${name}.json`);
      const whole = strict(schema.openAPIV3Schema);
      // The metadata of every object, which definitions leave open.
      if (whole.properties?.metadata !== undefined) whole.properties.metadata = { type: 'object' };
      writeFileSync(path, JSON.stringify(whole));
    }
  }
}

function strict(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || properties === undefined;
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, strict(each)])),
    }),
    ...(items !== undefined && { items: strict(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: strict(additionalProperties) }),
    ...(additionalProperties === undefined && !isOpen && { additionalProperties: false }),
  };
}
