import { ruleOf } from '@beadloom/core/access/route-roles.ts'
import { decide, type About, type Standing } from '@beadloom/core/access/standing.ts'
import {
  executionOf,
  InvalidInput,
  parseProjectId,
  parseSessionId,
  type ProjectId,
  type SessionId,
} from '@beadloom/core/records/ids.ts'
import type { LogReader } from '../ports/logs.ts'
import type { Clock } from '../process/clock.ts'
import { pumpBoard } from './board-pump.ts'
import { boardTopic, homeTopic } from './board-topic.ts'
import { sendInTurn, type Channel } from './channel.ts'
import type { Deltas } from './deltas.ts'
import { noLog, pumpLog } from './log-pump.ts'
import type { ChangeFeed, Views } from './ports.ts'

type Topic = { kind: 'home' } | { kind: 'board'; id: ProjectId } | { kind: 'log'; id: SessionId } | { kind: 'unknown' }

type TopicKind = Exclude<Topic['kind'], 'unknown'>

export type TopicDeps = {
  clock: Clock
  logs: LogReader
  feed: ChangeFeed
  views: Views
  deltas: Deltas
  /** The standing of the person who has opened the socket. */
  standing: Standing
}

/** The bell of every topic but the logs; the bell of a log is its session's id. */
export const CHANGES = 'changes'

/** Every kind of topic, with the reader of its id. */
export const topics: { [Kind in TopicKind]: (id: string | null) => Topic } = {
  home: (id) => (id === null ? { kind: 'home' } : unknown),
  board: (id) => (id === null ? unknown : { kind: 'board', id: parseProjectId(id) }),
  log: (id) => (id === null ? unknown : { kind: 'log', id: parseSessionId(id) }),
}
const unknown: Topic = { kind: 'unknown' }

function parseTopic(text: string): Topic {
  const [, kind = '', id] = /^([a-z]+)(?::(.*))?$/s.exec(text) ?? []
  try {
    return Object.hasOwn(topics, kind) ? topics[kind as TopicKind](id ?? null) : unknown
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
  }
  return unknown
}

/** The bell that wakes a subscriber of this topic. */
export function bellOf(text: string): string {
  const topic = parseTopic(text)
  return topic.kind === 'log' ? topic.id : CHANGES
}

/** Sends a topic's content on a channel, until the topic or the channel ends. A hidden topic does not exist. */
export async function pumpTopic(channel: Channel, deps: TopicDeps): Promise<void> {
  const { clock, logs, feed, views, deltas, standing } = deps
  const topic = parseTopic(channel.sub.topic)
  const isHidden = !maySee(topic, deps)
  switch (topic.kind) {
    case 'log':
      if (isHidden) return void (await sendInTurn(channel, noLog(channel.sub.ch, topic.id, false)))
      return pumpLog(channel, topic.id, { logs, views, clock, epoch: feed.epoch })
    case 'board': {
      const board = boardTopic(topic.id, views)
      if (isHidden) return expired(channel, board.missing)
      return pumpBoard(channel, board, { feed, deltas, clock })
    }
    case 'home':
      return pumpBoard(channel, homeTopic(views, standing), { feed, deltas, clock })
    case 'unknown':
      return expired(channel, `There is no topic ${JSON.stringify(channel.sub.topic)}.`)
  }
}

function maySee(topic: Topic, { views, standing }: TopicDeps): boolean {
  if (topic.kind === 'unknown') return true // it shows nothing
  const needs = ruleOf('get', '/ws')?.role ?? 'admin'
  return decide(standing, needs, aboutOf(topic, views)).may
}

function aboutOf(topic: Exclude<Topic, { kind: 'unknown' }>, views: Views): About {
  switch (topic.kind) {
    case 'home':
      return { is: 'anywhere' } // it is cut to what they see
    case 'board':
      return { is: 'project', project: topic.id }
    case 'log':
      return { is: 'project', project: views.execution(executionOf(topic.id))?.project ?? null }
  }
}

async function expired(channel: Channel, reason: string): Promise<void> {
  await sendInTurn(channel, { type: 'expired', ch: channel.sub.ch, reason })
}
