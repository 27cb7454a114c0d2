import type { ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import type { Link } from '../../feed/live-socket.ts'

export type SocketFacts = {
  link: Link
  welcome: Extract<ServerFrame, { type: 'welcome' }> | null
  /** Server's clock minus this browser's, in milliseconds. */
  skew: number
  /** Age of the last message, in milliseconds. */
  age: number
  cursors: readonly { topic: string; next: number }[]
}

/** The number of changes by which a topic is behind the server; null for logs, which count lines. */
export function behind(topic: string, next: number, seq: number | null): number | null {
  return topic.startsWith('log:') || seq === null ? null : Math.max(0, seq - next)
}

/** Text for a report: both sides' facts about the connection, with nothing from any bead. */
export function diagnosticsText(socket: SocketFacts, system: SystemView | null, browser: string): string {
  const { welcome, cursors } = socket
  const seq = system?.seq ?? null
  return JSON.stringify(
    {
      link: socket.link,
      build: welcome?.build ?? null,
      epoch: welcome?.epoch ?? null,
      seqAtWelcome: welcome?.seq ?? null,
      seqOfServer: seq,
      skewMs: socket.skew,
      lastMessageMs: socket.age,
      cursors: cursors.map(({ topic, next }) => ({ topic, next, behind: behind(topic, next, seq) })),
      server: system && {
        version: system.version,
        node: system.node,
        memoryBytes: system.memoryBytes,
        events: system.events,
        readers: system.readers,
        containers: system.containers?.total ?? null,
        failedChecks: system.checks.filter(({ ok }) => !ok).map(({ name }) => name),
      },
      browser,
    },
    null,
    2,
  )
}
