import { CutAudit } from '@beadloom/core/api/people/audit-api.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { z } from 'zod'
import { idText, optionalWhole, paging } from '../../http/routing/query-params.ts'
import { auditLines, cutAudit, listAudit, type AuditReads } from './audit.ts'
import { Reply, route, type Route } from '../../http/routing/route.ts'

export const auditRoutes = ({ store }: { store: AuditReads }): Route[] => [
  route({
    method: 'get',
    path: '/api/audit',
    summary: 'The audit log: what people did, and what they were refused, newest first',
    query: z.strictObject({
      by: z.string().min(1).max(200).optional().describe('Name of a person'),
      project: idText(parseProjectId),
      action: z
        .string()
        .regex(/^[a-z_]{1,50}$/, 'is not the name of an action')
        .optional(),
      ...paging,
    }),
    answer: { status: 200, description: 'Page of AuditView' },
    handle: ({ query }) => listAudit(store, query),
  }),
  route({
    method: 'get',
    path: '/api/audit/head',
    summary: 'The newest entry of the audit log by number and hash',
    answer: { status: 200, description: 'AuditEnds' },
    handle: () => ({ ...store.auditHead(), begins: store.auditBegins() }),
  }),
  route({
    method: 'get',
    path: '/api/audit/export',
    summary: 'The audit log as a chain: each line an entry with its hash, oldest first',
    query: z.strictObject({ after: optionalWhole().describe('Number of an entry; those after it are sent') }),
    answer: { status: 200, description: 'JSON lines', content: 'application/x-ndjson' },
    handle: ({ query }) =>
      new Reply(auditLines(store, query.after ?? 0), { 'Content-Type': 'application/x-ndjson; charset=utf-8' }),
  }),
  route({
    method: 'post',
    path: '/api/audit/cut',
    summary: 'Removes entries of the audit log that were exported',
    description: 'Up to the entry that is named. Its hash stays, and the chain continues from it.',
    idempotent: true,
    body: CutAudit,
    answer: { status: 200, description: 'AuditCut' },
    handle: ({ body }) => cutAudit(store, body),
  }),
]
