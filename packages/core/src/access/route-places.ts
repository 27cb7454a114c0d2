/** The ids in a path: each names a project by itself, or something of one. */
const placeNames = ['project', 'execution', 'session', 'pullRequest', 'container'] as const
export type PlaceName = (typeof placeNames)[number]

export type RoutePlace =
  /** For everybody who has a role somewhere: it shows nothing of a project, or its handler checks who asks. */
  | { is: 'anywhere' }
  | { is: 'server' }
  /** It mixes projects in a way that cannot be cut. */
  | { is: 'all projects' }
  /** A list; everybody gets the items of the projects that they see. `by`: the item's field that names its project. */
  | { is: 'list'; by: 'id' | 'project' }
  | { is: 'status' }
  | { is: 'project'; by: PlaceName }

const anywhere: RoutePlace = { is: 'anywhere' }
const server: RoutePlace = { is: 'server' }
const all: RoutePlace = { is: 'all projects' }
const list = (by: 'id' | 'project'): RoutePlace => ({ is: 'list', by })

/** Routes whose path names nothing that a project has. */
const elsewhere: Readonly<Record<string, RoutePlace>> = {
  'get /ws': anywhere,
  'get /metrics': all,
  'get /api/openapi.json': anywhere,
  'get /api/me': anywhere,
  'get /api/actions': list('project'),
  'get /api/sign-ins': anywhere,
  'delete /api/sign-ins/:signIn': anywhere,
  'get /api/audit': server,
  'get /api/audit/head': server,
  'get /api/audit/export': server,
  'post /api/audit/cut': server,
  // The address that a ticket opens has a rule of its own.
  'get /api/ticket': anywhere,
  'get /api/status': { is: 'status' },
  'get /api/system': all,
  'get /api/agents': anywhere,
  'get /api/settings': server,
  'patch /api/settings': server,
  'get /api/webhooks': all,
  'put /api/webhooks/:webhook': server,
  'delete /api/webhooks/:webhook': server,
  'post /api/webhooks/test': server,
  'post /api/webhooks/:webhook/test': server,
  'get /api/projects': list('id'),
  'post /api/projects': server,
  'get /api/adding': list('project'),
  // Not a project yet.
  'delete /api/adding/:project': server,
  'get /api/executions': list('project'),
  'get /api/budgets': list('project'),
  'get /api/containers': list('project'),
}

/** Null: no rule exists yet, so nobody is served. */
export function placeOf(method: string, path: string): RoutePlace | null {
  const named = elsewhere[`${method} ${path}`]
  if (named !== undefined) return named
  const by = placeNames.find((name) => path.split('/').includes(`:${name}`))
  return by === undefined ? null : { is: 'project', by }
}
