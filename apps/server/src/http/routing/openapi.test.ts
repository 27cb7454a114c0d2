import { expect, test } from 'vitest'
import { startHttp } from '../../compose/testing/start-http.ts'

type Operation = {
  operationId: string
  summary: string
  parameters: { name: string; in: string; schema: object; required: boolean }[]
  requestBody?: { required: boolean; content: Record<string, { schema: { type: string } }> }
  responses: Record<string, { description: string; content?: object }>
}
type Document = { openapi: string; paths: Record<string, Record<string, Operation>>; components: object }

async function fetchDocument(): Promise<Document> {
  const { ask } = await startHttp()
  return (await ask('/api/openapi.json')).json()
}

test('every route is described, and nothing else is', async () => {
  const { ask, routes } = await startHttp()
  const { paths } = (await ask('/api/openapi.json')).json() as Document
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  )
  const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  expect(described.toSorted()).toEqual(served.toSorted())
  expect(served).toHaveLength(new Set(served).size)
})

test('every described path is answered by its route, and none by a bug', async () => {
  const { ask, routes, reported } = await startHttp()
  const ids: Record<string, string> = {
    project: 'demo',
    bead: 'bl-1',
    execution: 'ex-0000000001',
    session: 'ex-0000000001.1',
    pullRequest: 'pr-0000000001',
    container: 'beadloom-x',
    secret: 'NAME',
    webhook: 'ops',
  }
  for (const { method, path, body } of routes) {
    const url = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '1')
    const got = await ask(url, { method: method.toUpperCase(), ...(body && { body: '{}' }) })
    expect(got.text, `${method} ${url}`).not.toMatch(/The API is described at|is not allowed here/)
  }
  expect(reported).toEqual([])
})

test('every POST takes an Idempotency-Key, so none acts twice', async () => {
  const { routes } = await startHttp()
  const posts = routes.filter(({ method }) => method === 'post')
  expect(posts.filter(({ idempotent }) => !idempotent).map(({ path }) => path)).toEqual([])
})

test('the document is OpenAPI 3.1 in shape', async () => {
  const { openapi, paths, components } = await fetchDocument()
  expect(openapi).toBe('3.1.0')
  expect(components).toMatchObject({ schemas: { Error: {} }, securitySchemes: { token: { scheme: 'bearer' } } })
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  )
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  for (const { path, operation } of operations) {
    expect(operation.summary).not.toBe('')
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    for (const { name, schema, required } of operation.parameters) {
      expect(schema, `${path} ${name}`).toHaveProperty('type')
      expect(typeof required).toBe('boolean')
    }
    expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true)
    for (const { description } of Object.values(operation.responses)) expect(description).not.toBe('')
  }
})

test('a body is described by the schema that checks it', async () => {
  const { paths } = await fetchDocument()
  const add = paths['/api/projects']?.post?.requestBody
  expect(add).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { required: ['source'], additionalProperties: false } } },
  })
  expect(paths['/api/projects/{project}/beads/{bead}/executions']?.post?.requestBody).toMatchObject({ required: false })
})

test('numbers in a query are described as numbers, with their bounds', async () => {
  const { paths } = await fetchDocument()
  const limit = paths['/api/executions']?.get?.parameters.find(({ name }) => name === 'limit')
  expect(limit).toMatchObject({
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 200 },
  })
  expect(limit?.schema).not.toHaveProperty('pattern')
})

test('numbers in a path are described as numbers, and names as names', async () => {
  const { paths } = await fetchDocument()
  const typeIn = (path: string, method: string, name: string) =>
    paths[path]?.[method]?.parameters.find((parameter) => parameter.name === name)?.schema
  expect(typeIn('/api/projects/{project}/views/{view}', 'delete', 'view')).toEqual({ type: 'integer' })
  expect(typeIn('/api/projects/{project}/views/{view}', 'delete', 'project')).toEqual({ type: 'string' })
  expect(typeIn('/api/sign-ins/{signIn}', 'delete', 'signIn')).toEqual({ type: 'integer' })
})

test('an answer that is not JSON is described as what it is', async () => {
  const { paths } = await fetchDocument()
  const picture = paths['/api/executions/{execution}/evidence.svg']?.get?.responses['200']
  expect(picture?.content).toEqual({ 'image/svg+xml': { schema: { type: 'string' } } })
})
