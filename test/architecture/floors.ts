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

/** The same for the part of the server that answers the API. */
export const appFloors: readonly (readonly string[])[] = [
  ['stored'],
  ['settings', 'engines'],
  ['tracker', 'backups'],
  ['projects'],
  ['scheduling'],
  ['views'],
  ['reviews', 'plans', 'proofs'],
  ['pull-requests'],
  ['answers', 'people'],
  ['health', 'upkeep'],
]
