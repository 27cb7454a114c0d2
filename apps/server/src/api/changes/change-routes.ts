import { z } from 'zod'
import { route, type Route } from '../../http/routing/route.ts'
import { diffQueries, type DiffDeps } from './diff-queries.ts'
import { whyOf, type WhyReads } from './why-query.ts'

/** A full commit hash, in either of git's two lengths. */
const commit = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a full commit hash')
  .optional()

export const changeRoutes = (deps: DiffDeps & { store: WhyReads }): Route[] => {
  const changes = diffQueries(deps)
  return [
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
        path === undefined ? changes.diff(params.execution, wish) : changes.patch(params.execution, path, wish),
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
      handle: ({ params, query: { path, text } }) => whyOf(deps.store, params.execution, path, text),
    }),
    route({
      method: 'get',
      path: '/api/executions/:execution/commits',
      summary: 'The commits of an execution, newest first, and the files that conflict',
      description: 'For the changes of one commit, ask for the diff from its `parent` to its `commit`.',
      answer: { status: 200, description: 'BranchView' },
      handle: ({ params }) => changes.branch(params.execution),
    }),
  ]
}
