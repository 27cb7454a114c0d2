/*
 * Words that this code base uses, and words that it avoids. CONTRIBUTING.md has the whole glossary.
 *
 * - project:      a git repository with its settings                        (not: repo)
 * - bead:         one unit of work                                          (not: issue, task, ticket, job)
 * - execution:    one trip of a bead through the workflow                   (not: run as a noun, job, build)
 * - kind:         what an execution is for: work, review or plan            (not: type, mode)
 * - session:      what one process does in a sandbox, with its own log     (not: turn)
 * - attempt:      the number of an agent's session until the checks pass    (not: try)
 * - retry:        a repeated start after a container or an agent broke      (not: rerun)
 * - check:        one command that decides whether work is good             (not: gate)
 * - slot:         the right to have a container                             (not: worker)
 * - sandbox:      a container of an execution with its link                 (not: box)
 * - workspace:    the sandbox of one line of work, and what is unsaved      (not: checkout)
 * - link:         the one stream between a container and the server         (not: tunnel)
 * - hub:          the server's bare clone of a project                      (not: mirror, origin)
 * - gateway:      the server's endpoint for models                          (not: proxy)
 * - follow-up:    a bead that Beadloom creates because of an end            (not: child)
 * - pull request: the wish to offer the work branch, and its outcome        (not: merge request)
 * - message:      a person's words to the agent of a running execution
 * - event:        a numbered row of what happened in an execution           (not: notification)
 * - log:          the text of one session, numbered by line                 (not: output, transcript)
 *
 * "run" is a verb only: what runs is an execution, and what is repeated is a retry.
 */

export class InvalidInput extends Error {
  override name = 'InvalidInput'
}

export type ProjectId = string & { readonly __id: 'project' }
export type BeadId = string & { readonly __id: 'bead' }
export type ExecutionId = string & { readonly __id: 'execution' }
export type SessionId = string & { readonly __id: 'session' }
export type InstanceId = string & { readonly __id: 'instance' }
export type PullRequestId = string & { readonly __id: 'pull request' }

const shape = {
  project: /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
  // Ids that `bd` and its relatives produce in practice: prefixes with hyphens, base36 hashes, dotted children, upper
  // case.
  bead: /^[A-Za-z0-9][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*$/,
  execution: /^ex-[a-z0-9]{10}$/,
  session: /^ex-[a-z0-9]{10}\.[1-9][0-9]{0,3}$/,
  instance: /^in-[a-z0-9]{12}$/,
  'pull request': /^pr-[a-z0-9]{10}$/,
}

const MOST_CHARS = 128
/** People choose only these. */
const PROJECT_ID_RULE = 'at most 64 lower-case letters, digits and hyphens, with no hyphen first or last'

/** Whether a bead may have this id: for a stranger's text that may not be an id. */
export const isBeadId = (text: string): text is BeadId => text.length <= MOST_CHARS && shape.bead.test(text)

function parse<T extends string>(kind: keyof typeof shape, text: string, limit = MOST_CHARS): T {
  if (text.length <= limit && shape[kind].test(text)) return text as T
  const article = /^[aeiou]/.test(kind) ? 'an' : 'a'
  const rule = kind === 'project' ? ` (${PROJECT_ID_RULE})` : ''
  throw new InvalidInput(`not ${article} ${kind} id: ${JSON.stringify(text.slice(0, limit))}${rule}`)
}

export const parseProjectId = (text: string): ProjectId => parse('project', text)
export const parseBeadId = (text: string): BeadId => parse('bead', text)
export const parseExecutionId = (text: string): ExecutionId => parse('execution', text)
export const parseSessionId = (text: string): SessionId => parse('session', text)
export const parseInstanceId = (text: string): InstanceId => parse('instance', text)
export const parsePullRequestId = (text: string): PullRequestId => parse('pull request', text)

/** `random` returns numbers in [0, 1): the caller owns chance. */
function token(length: number, random: () => number): string {
  return Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join('')
}

export const newExecutionId = (random: () => number): ExecutionId => parseExecutionId(`ex-${token(10, random)}`)
export const newInstanceId = (random: () => number): InstanceId => parseInstanceId(`in-${token(12, random)}`)
export const newPullRequestId = (random: () => number): PullRequestId => parsePullRequestId(`pr-${token(10, random)}`)

/** Sessions are numbered within their execution, from 1. */
export const sessionIdOf = (execution: ExecutionId, number: number): SessionId =>
  parseSessionId(`${execution}.${number}`)
export const numberOf = (session: SessionId): number => Number(session.slice(session.indexOf('.') + 1))
export const executionOf = (session: SessionId): ExecutionId => parseExecutionId(session.slice(0, session.indexOf('.')))

/** A project id from a name that a person chose: lower case, other characters become hyphens. */
export function projectIdFrom(name: string): ProjectId {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
  return parseProjectId(slug)
}
