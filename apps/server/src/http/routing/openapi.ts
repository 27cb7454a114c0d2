import { z } from 'zod'
import { isNumber, namesIn, pathParam, type Route } from './route.ts'

/** The OpenAPI 3.1 document of these routes, generated from the schemas that validate their requests. */
export function openApi(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Beadloom',
      version,
      description:
        'Runs coding agents on beads. Times are integer milliseconds UTC; lists are pages with a cursor `next`. The answer to a change has the header `Beadloom-Seq`: a WebSocket client that has seen this `seq` has seen the change.',
    },
    security: [{ token: [] }, { browser: [], page: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The content of the file `token` in the data folder' },
        browser: {
          type: 'apiKey',
          in: 'cookie',
          name: 'beadloom',
          description:
            'Set by opening `/?token=…`; the name is followed by a hyphen, eight hexadecimal digits, different for each server, and `-session`, and begins with `__Host-` over https.',
        },
        page: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Beadloom-Page',
          description: 'What the page of the dashboard was given for itself beside the cookie.',
        },
      },
      schemas: { Error: errorSchema },
    },
    paths,
  }
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, details: {} },
    },
  },
}

function operation(route: Route): Record<string, unknown> {
  const { answer } = route
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.open && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...keyParameter(route)],
    ...(route.body && {
      requestBody: {
        required: isRequired(route.body),
        content: { 'application/json': { schema: schemaOf(route.body) } },
      },
    }),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(answer.status !== 204 && {
          content: { [answer.content ?? 'application/json']: { schema: answer.schema ?? answerSchema(route) } },
        }),
      },
      ...Object.fromEntries(refusalsOf(route).map((status) => [status, refusal(status)])),
    },
  }
}

/** `get /api/projects/:project/beads` is `getApiProjectsProjectBeads`: unique, because method and path are. */
const operationId = ({ method, path }: Route): string =>
  method + path.replace(/[^a-z]+([a-z])/gi, (_, letter: string) => letter.toUpperCase())

const answerSchema = ({ answer }: Route): object =>
  answer.content === undefined ? { type: 'object' } : { type: 'string' }

const pathParameters = ({ path }: Route): object[] =>
  namesIn(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: pathParam[name].what,
    schema: { type: isNumber(name) ? 'integer' : 'string' },
  }))

function queryParameters({ query }: Route): object[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query)
  return Object.entries(properties as Record<string, { description?: string }>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: (required as string[]).includes(name),
      ...(description && { description }),
      schema,
    }),
  )
}

const keyParameter = ({ idempotent }: Route): object[] =>
  idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'Requests with the same key act once and get the same answer',
          schema: { type: 'string', minLength: 1, maxLength: 200 },
        },
      ]
    : []

function schemaOf(schema: z.core.$ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    // zod omits the default of a transformed value, because it belongs to the output; our defaults read the same either
    // way.
    override({ zodSchema: { _zod: inner }, jsonSchema }) {
      if (inner.def.type === 'default') jsonSchema.default = inner.def.defaultValue
    },
  })
  return rest
}

const isRequired = (schema: z.core.$ZodType): boolean => !z.safeParse(schema, {}).success

function refusalsOf(route: Route): number[] {
  const checked = route.query || route.body || route.idempotent ? [400] : []
  const withBody = ['post', 'put', 'patch'].includes(route.method) ? [413, 415] : []
  const reused = route.idempotent ? [409, 422] : []
  const named = route.path.includes(':') ? [404] : []
  const guarded = route.open ? [] : [401]
  const written = route.method === 'get' ? [503] : [503, 507]
  return [
    ...new Set([
      ...checked,
      ...guarded,
      403,
      ...named,
      ...(route.refusals ?? []),
      ...withBody,
      ...reused,
      421,
      500,
      ...written,
    ]),
  ]
}

const refusal = (status: number): object => ({
  description: reasons[status] ?? 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

const reasons: Record<number, string> = {
  400: 'The request is invalid; every problem is listed',
  401: 'The token is missing or wrong',
  403: 'The request comes from a page of another origin',
  404: 'Not found',
  409: 'Not possible in the current state, or the first request with this Idempotency-Key is still in work',
  413: 'The body is too large',
  415: 'The body is not application/json',
  416: 'The range is outside the text',
  421: 'The Host header does not name this server',
  422: 'The request cannot be carried out, or its Idempotency-Key was used with another body',
  429: 'Too many requests at once',
  500: 'A bug in the server',
  503: 'The database cannot be written now, because another program has locked it: try again after Retry-After',
  507: 'The disk is full',
}
