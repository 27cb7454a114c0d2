import { InvalidInput, parseProjectId, parseSessionId, type ProjectId, type SessionId } from '@beadloom/core/ids.ts'
import type { LogReader } from '../ports/logs.ts'
import type { Clock } from '../process/clock.ts'
import { pumpBoard } from './board-pump.ts'
import { boardTopic, homeTopic } from './board-topic.ts'
import { sendInTurn, type Channel } from './channel.ts'
import type { Deltas } from './deltas.ts'
import { pumpLog } from './log-pump.ts'
import type { ChangeFeed, Views } from './ports.ts'

type Topic =
  | { kind: 'home' }
  | { kind: 'board'; project: ProjectId }
  | { kind: 'log'; session: SessionId }
  | { kind: 'unknown' }

export type TopicDeps = { clock: Clock; logs: LogReader; feed: ChangeFeed; views: Views; deltas: Deltas }

/** The bell of every topic but the logs; the bell of a log is its session's id. */
export const CHANGES = 'changes'

function parseTopic(text: string): Topic {
  const [, kind, id = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  try {
    if (text === 'home') return { kind: 'home' }
    if (kind === 'board') return { kind: 'board', project: parseProjectId(id) }
    if (kind === 'log') return { kind: 'log', session: parseSessionId(id) }
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
  }
  return { kind: 'unknown' }
}

/** What wakes a subscriber of this topic. */
export function bellOf(text: string): string {
  const topic = parseTopic(text)
  return topic.kind === 'log' ? topic.session : CHANGES
}

/** Sends what a channel's topic shows, until the topic or the channel ends. */
export async function pumpTopic(channel: Channel, { clock, logs, feed, views, deltas }: TopicDeps): Promise<void> {
  const topic = parseTopic(channel.sub.topic)
  switch (topic.kind) {
    case 'log':
      return pumpLog(channel, topic.session, { logs, views, clock, epoch: feed.epoch })
    case 'board':
      return pumpBoard(channel, boardTopic(topic.project, views), { feed, deltas, clock })
    case 'home':
      return pumpBoard(channel, homeTopic(views), { feed, deltas, clock })
    case 'unknown': {
      const reason = `There is no topic ${JSON.stringify(channel.sub.topic)}.`
      return void (await sendInTurn(channel, { type: 'expired', ch: channel.sub.ch, reason }))
    }
  }
}
