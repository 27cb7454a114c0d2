import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { LogReader } from '../../ports/logs.ts'
import { Problem } from '../../ports/problem.ts'
import { Reply } from '../../http/routing/route.ts'
import { SANDBOX_POLICY } from '../../http/access/security-headers.ts'

const READ_BYTES = 256 * 1024

/** The agent's own output, untranslated, up to the time of the request. */
export async function agentLines(logs: LogReader, session: SessionId): Promise<Reply | Problem> {
  const size = await logs.agentSize(session)
  if (size === null) return new Problem(404, 'not_found', `Session ${session} has no untranslated agent output.`)
  return new Reply(bytesOf(logs, session, size), {
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'Content-Disposition': `attachment; filename="${session}.jsonl"`,
    'Content-Length': String(size),
    'Content-Security-Policy': SANDBOX_POLICY,
  })
}

async function* bytesOf(logs: LogReader, session: SessionId, size: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < size;) {
    const bytes = await logs.agentBytes(session, done, Math.min(READ_BYTES, size - done))
    if (bytes.length === 0) throw new Error(`the lines of ${session} became fewer while they were read`)
    done += bytes.length
    yield bytes
  }
}
