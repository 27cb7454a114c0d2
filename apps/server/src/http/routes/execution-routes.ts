import { AllowTests } from '@beadloom/core/api/executions/execution-requests.ts'
import { executionStates } from '@beadloom/core/records/execution.ts'
import { parseBeadId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { z } from 'zod'
import type { Clock } from '../../process/clock.ts'
import { waitForEvents } from '../routing/long-poll.ts'
import type { Commands, Queries } from '../ports.ts'
import { Problem } from '../../ports/problem.ts'
import { idText, paging, whole } from '../routing/query-params.ts'
import { Reply, route, type Route } from '../routing/route.ts'

/** A full commit hash, in either of git's two lengths. */
const commit = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a full commit hash')
  .optional()

export const executionRoutes = (queries: Queries, commands: Commands, clock: Clock): Route[] => [
  route({
    method: 'get',
    path: '/api/executions',
    summary: 'Executions, newest first',
    query: z.strictObject({
      project: idText(parseProjectId),
      bead: idText(parseBeadId),
      state: z.enum(executionStates).optional(),
      ...paging,
    }),
    answer: { status: 200, description: 'Page of ExecutionView' },
    handle: ({ query }) => queries.executions(query),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution',
    summary: 'One execution with its sessions and tokens',
    answer: { status: 200, description: 'ExecutionView' },
    handle: ({ params }) => queries.execution(params.execution),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/evidence.svg',
    summary: 'What was shown about its work and what was not, as a picture',
    refusals: [409],
    answer: { status: 200, description: 'SVG, 720 pixels wide, without fonts, scripts or links' },
    handle: async ({ params }) => asPicture(await queries.evidenceImage(params.execution), params.execution),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/cancel',
    summary: 'Cancels an execution that is queued or running',
    description: 'One that waits at a limit of tokens or money ends as budget_exhausted: the answer is no.',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; a running one ends a little later' },
    handle: ({ params, once }) => commands.cancel(params.execution, once),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/abandon',
    summary: 'Gives back the slot of an execution whose container cannot be stopped',
    description: 'The container stays with the engine, and its unsaved work is kept. Refused unless a stop is held up.',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; it ends a moment later' },
    handle: ({ params }) => commands.abandon(params.execution),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/retry-now',
    summary: 'Starts the retry that an execution waits for now',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; its retry starts a moment later' },
    handle: ({ params, once }) => commands.retryNow(params.execution, once),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/allow-tests',
    summary: 'Allows refused work: weaker tests, unchecked work, a possible secret',
    description:
      'Recorded with who and why. If the execution has ended, its work is checked again without an agent, by an execution that is queued now. Refused while nothing was refused.',
    body: AllowTests,
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView of the one that continues the work' },
    handle: ({ params, body, once, person }) =>
      // A signed-in person's name is known, and cannot be replaced.
      commands.allowTests(params.execution, person.by === 'token' ? body : { ...body, by: person.name }, once),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/egress',
    summary: 'Hosts that its containers asked for by the proxy, and what became of it',
    answer: { status: 200, description: 'EgressView' },
    handle: ({ params }) => queries.egressOf(params.execution),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/events',
    summary: 'Events after a number; waits up to `wait` seconds for the next one',
    description:
      'Ask again with `after` = `next`. Nothing is lost, repeated or out of order. Stop when `ended` is true and `items` has been read.',
    query: z.strictObject({
      after: whole(0, Number.MAX_SAFE_INTEGER, 0).describe('Only events with a greater `seq`'),
      limit: whole(1, 1000, 200),
      wait: whole(0, 60, 0).describe('Seconds to wait when there is no event yet'),
    }),
    answer: { status: 200, description: 'EventPage' },
    handle: ({ params, query, signal }) => waitForEvents(queries, clock, params.execution, query, signal),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/diff',
    summary: 'The files that an execution changed; one file as a patch with `path`',
    description:
      'A running execution keeps changing: ask for patches with the `to` of the list, so that both show the same commit. `from` and `to` may be any commits of the project, so two attempts can be compared.',
    query: z.strictObject({
      path: z.string().min(1).max(4096).optional(),
      from: commit.describe('A commit; default: where the branch started'),
      to: commit.describe('A commit; default: the verified one, else the tip of the branch'),
      whitespace: z.literal('ignore').optional().describe('Ignores changes in white space'),
      context: z.coerce.number().int().min(0).max(100_000).optional().describe('Unchanged lines around each change'),
    }),
    answer: { status: 200, description: 'DiffView; with `path` PatchView' },
    handle: ({ params, query: { path, ...wish } }) =>
      path === undefined ? queries.diff(params.execution, wish) : queries.patch(params.execution, path, wish),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/why',
    summary: 'Which step of an agent wrote a line of a file',
    description:
      'By the tool calls in the logs, of this execution and of earlier ones of its bead. Nothing is guessed.',
    query: z.strictObject({
      path: z.string().min(1).max(4096),
      text: z.string().max(4096).describe('The line, without its end'),
    }),
    answer: { status: 200, description: 'WhyView' },
    handle: ({ params, query: { path, text } }) => queries.why(params.execution, path, text),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/commits',
    summary: 'The commits of an execution, newest first, and the files that conflict',
    description: 'For the changes of one commit, ask for the diff from its `parent` to its `commit`.',
    answer: { status: 200, description: 'BranchView' },
    handle: ({ params }) => queries.branch(params.execution),
  }),
]

/** Served as a download: opened directly, an SVG would be a page of its own. */
const asPicture = (svg: string | Problem, execution: string): Problem | Reply =>
  svg instanceof Problem
    ? svg
    : new Reply(svg, {
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Content-Disposition': `attachment; filename="${execution}.svg"`,
      })
