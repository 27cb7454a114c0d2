/**
 * The rooms of `packages/core`, from the ground up. A room may import the rooms of the floors below its own, and no other
 * room of its floor.
 */
export const coreFloors: readonly (readonly string[])[] = [
  ['text', 'time'],
  [
    'access',
    'agents',
    'budget',
    'container-limits',
    'context',
    'conversation',
    'digest',
    'egress',
    'elsewhere',
    'files',
    'gateway',
    'images',
    'link',
    'log',
    'services',
    'settings',
    'supervisor',
  ],
  ['records', 'audit', 'isolation'],
  ['tamper', 'secrets'],
  ['execution'],
  ['bead', 'environment', 'verdict'],
  ['review', 'dispatch'],
  ['project', 'graph', 'plan'],
  ['api'],
  ['views', 'tokens', 'activity', 'board'],
  // Samples for tests.
  ['testing'],
]

/** The same for `packages/agent`. */
export const agentFloors: readonly (readonly string[])[] = [
  ['process'],
  ['output'],
  ['commands', 'supervisor'],
  ['ends'],
  ['workspace'],
  ['tools'],
  ['loop'],
  ['fresh-starts', 'subagents'],
  ['agents'],
  ['session'],
  // A hub, a model and a session for tests.
  ['testing'],
]

/** The same for the server's own work. */
export const appFloors: readonly (readonly string[])[] = [
  ['stored'],
  ['settings', 'engines'],
  ['tracker', 'backups'],
  ['projects'],
  ['scheduling'],
  ['views'],
  ['pull-requests', 'health', 'upkeep'],
]

/** The same for the subjects of the API. */
export const apiFloors: readonly (readonly string[])[] = [
  [
    'activity',
    'audit',
    'beads',
    'budgets',
    'changes',
    'containers',
    'egress',
    'executions',
    'inbox',
    'logs',
    'people',
    'plans',
    'projects',
    'reviews',
    'saved-views',
    'secrets',
    'server',
    'settings',
    'sign-ins',
    'steering',
    'webhooks',
  ],
  // A bead that mends the base; a review before a pull request.
  ['environment', 'pull-requests'],
]
