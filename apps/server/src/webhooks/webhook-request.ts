import { createHmac } from 'node:crypto'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { WebhookNotice } from '../ports/store/webhooks.ts'
import type { WebhookSettings } from '../process/settings/webhook-settings.ts'

/** `event`: null for a test. `url`: the dashboard's page; null if unknown. */
export type Message = Omit<WebhookNotice, 'event'> & {
  id: string
  event: WebhookNotice['event'] | 'test'
  url: string | null
}
export type WebhookRequest = { headers: Record<string, string>; body: string }

const words: Record<Message['event'], string> = {
  needs_you: 'needs you',
  failed: 'failed',
  merged: 'merged',
  budget: 'waits for budget',
  test: 'Test',
}
const tags: Record<Message['event'], string> = {
  needs_you: 'raising_hand',
  failed: 'x',
  merged: 'white_check_mark',
  budget: 'moneybag',
  test: 'bell',
}

/** `now`: milliseconds UTC. A signature contains the time of sending, so that an old one can be refused. */
export function requestOf({ format, secret }: WebhookSettings, message: Message, now: number): WebhookRequest {
  const common = { 'user-agent': 'Beadloom', 'beadloom-event': message.event, 'beadloom-delivery': message.id }
  switch (format) {
    case 'json':
      return asJson(message, common, secret, now)
    case 'ntfy':
      return asNtfy(message, common)
    case 'slack':
      return asSlack(message, common)
  }
}

function asJson(message: Message, common: Record<string, string>, secret: string | null, now: number): WebhookRequest {
  const { id, event, at, project, bead, title, text, execution, url } = message
  const body = JSON.stringify({
    id,
    event,
    at: new Date(at).toISOString(),
    project,
    bead,
    title: title.toWellFormed(),
    text: text.toWellFormed(),
    execution,
    url,
  })
  const headers = { ...common, 'content-type': 'application/json' }
  if (secret === null) return { headers, body }
  const timestamp = String(Math.floor(now / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return {
    headers: { ...headers, 'beadloom-timestamp': timestamp, 'beadloom-signature': `sha256=${signature}` },
    body,
  }
}

const headline = ({ event, bead, title }: Message): string =>
  event === 'test' ? 'Beadloom: test' : oneLine(`${bead} ${words[event]}: ${title}`)

/**
 * The text is the body. The rest are headers, in which only ASCII is safe: everything else is an encoded word (RFC
 * 2047).
 */
function asNtfy(message: Message, common: Record<string, string>): WebhookRequest {
  const { event, text, url } = message
  const headers: Record<string, string> = {
    ...common,
    'content-type': 'text/plain; charset=utf-8',
    title: encodedWord(headline(message)),
    tags: tags[event],
    priority: event === 'merged' ? '2' : '4',
  }
  if (url !== null) headers['click'] = url
  return { headers, body: text.toWellFormed() || headline(message) }
}

const encodedWord = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && !text.includes('=?') ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`

/** Shows plain text in Slack. The line for notifications, which Slack reads as its markup, is made inert. */
function asSlack(message: Message, common: Record<string, string>): WebhookRequest {
  const { text, url } = message
  const head = headline(message)
  const plain = [head, text.toWellFormed(), url].filter(Boolean).join('\n')
  const link = url === null ? '' : ` <${url}|Open>`
  const body = JSON.stringify({
    text: `${inert(head)}${text === '' ? '' : `\n${inert(text)}`}${link}`,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: 'section', text: { type: 'plain_text', text: plain, emoji: false } }],
  })
  return { headers: { ...common, 'content-type': 'application/json' }, body }
}

/** Text without a mention (`<!channel>`, `@here`) or a link, in Slack and in programs that take its form. */
const inert = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b')
    .replaceAll('://', ':\u200b//')
