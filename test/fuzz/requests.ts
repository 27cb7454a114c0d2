/** A route in the server's own OpenAPI document. */
export type Operation = { method: string; path: string; query: Named[]; body: Schema | null }
export type Asked = { method: string; path: string; headers: Record<string, string>; body: string | undefined }

type Named = { name: string; schema: Schema }
type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}
type Document = { paths: Record<string, Record<string, DocumentedRoute>> }
type DocumentedRoute = {
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}
type Chance = () => number

export const operationsOf = ({ paths }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, routes]) =>
    Object.entries(routes).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters.flatMap(({ name, in: where, schema = {} }) => (where === 'query' ? [{ name, schema }] : [])),
      body: requestBody?.content?.['application/json']?.schema ?? null,
    })),
  )

// prettier-ignore
const texts = [
  '', ' ', 'a', 'bl-1', 'fuzz', 'main', '../..', '..%2f..', '/', '\\', '\0', 'a\nb', '\u202e', '\ud800', '🦩', '%', '%zz',
  '__proto__', 'constructor', 'toString', 'null', 'NaN', '-1', '1e999', '9'.repeat(400), '2026-01-01', "' OR 1=1 --",
  'http://127.0.0.1:1/', 'file:///nowhere', 'ssh://-oProxyCommand=x/y', '--upload-pack=x', '$(x)', '{{x}}', '<b>',
  'a'.repeat(5_000), '\u0301'.repeat(2_000), '['.repeat(3_000), '*a '.repeat(1_000),
]
const others = [null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 31), 1e308, [], {}, [[]], { a: { a: {} } }]
const values: unknown[] = [...others, ...texts]

const one = <T>(list: readonly T[], random: Chance): T => list[Math.floor(random() * list.length)]!

/** A request that is nearly right, or all wrong. */
export function askOf({ method, path, query, body }: Operation, known: Record<string, string>, random: Chance): Asked {
  // Never delete the known project: it would answer only 404 from then on.
  const isEnd = method === 'DELETE' && path.endsWith('/{project}')
  const param = (name: string): string =>
    encodeURIComponent((random() < 0.7 && !isEnd ? known[name] : undefined) ?? one(texts, random).toWellFormed())
  const asked = query.filter(() => random() < 0.6).map(({ name, schema }) => [name, String(valueOf(schema, random))])
  if (random() < 0.1) asked.push([one(texts, random), one(texts, random)])
  const search = asked.map((pair) => pair.map((text) => encodeURIComponent(String(text).toWellFormed())).join('='))
  return {
    method,
    path: `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => param(name))}${search.length > 0 ? '?' : ''}${search.join('&')}`,
    headers: headersOf(body !== null || random() < 0.05, random),
    body: body === null && random() < 0.95 ? undefined : body === null ? '{"a":1}' : bodyOf(body, random),
  }
}

function headersOf(hasBody: boolean, random: Chance): Record<string, string> {
  const odd: Record<string, string>[] = [
    { 'idempotency-key': one(['a', 'k'.repeat(300), '"x"', 'ü'], random) },
    { 'if-match': '*', 'if-none-match': '"x"', range: 'bytes=0-,5-1' },
    { 'accept-language': 'x'.repeat(3_000), cookie: 'beadloom=; a; =b; __proto__=1' },
    { origin: 'http://evil.example' },
    { 'x-forwarded-for': '::1', 'x-forwarded-host': 'evil.example', forwarded: 'for=_x' },
    { 'content-encoding': one(['gzip', 'br', 'x'], random) },
    { accept: one(['text/event-stream', '*/*;q=x', 'application/x-ndjson'], random) },
  ]
  const type = random() < 0.95 ? 'application/json' : one(['text/plain', 'application/json; charset=x', 'a/b'], random)
  return { ...(hasBody && { 'content-type': type }), ...(random() < 0.25 ? one(odd, random) : {}) }
}

function bodyOf(schema: Schema, random: Chance): string {
  const how = random()
  const text = JSON.stringify(how < 0.1 ? one(values, random) : valueOf(schema, random)) ?? ''
  if (how > 0.97) return text.slice(0, Math.floor(random() * text.length))
  if (how > 0.95) return '['.repeat(100_000)
  return how > 0.93 ? text.replace('{', '{"__proto__":{"a":1},') : text
}

/** A value of this schema, with wrong parts here and there. */
function valueOf(schema: Schema, random: Chance, depth = 0): unknown {
  if (depth > 6 || random() < 0.08) return one(values, random)
  if ('const' in schema) return schema.const
  if (schema.enum) return one(schema.enum, random)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return valueOf(one(either, random), random, depth + 1)
  switch (Array.isArray(schema.type) ? one(schema.type, random) : schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).filter(() => random() < 0.8)
      return Object.fromEntries(entries.map(([key, value]) => [key, valueOf(value, random, depth + 1)]))
    }
    case 'array':
      return Array.from({ length: Math.floor(random() * 4) }, () => valueOf(schema.items ?? {}, random, depth + 1))
    case 'integer':
    case 'number':
      return one([0, 1, 2, 5, 50, 1_000, -1, 0.5, 2 ** 40], random)
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    default:
      return one(texts, random)
  }
}
