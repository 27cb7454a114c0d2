import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { WebhookSettings } from '../process/settings/webhook-settings.ts'
import { requestOf, type Message } from './webhook-request.ts'

const hook = (format: WebhookSettings['format'], secret: string | null = null): WebhookSettings => ({
  name: 'one',
  url: 'http://localhost/',
  format,
  secret,
  events: ['failed'],
  projects: null,
})
const message = (given: Partial<Message> = {}): Message => ({
  id: 'in-1.7',
  event: 'needs_you',
  at: 0,
  project: 'library',
  bead: 'bl-7',
  title: 'Pick a licence',
  text: 'MIT or GPL?',
  execution: 'ex-1',
  url: 'http://127.0.0.1:4600/p/library/b/bl-7',
  ...given,
})

test('the JSON says what happened, and is signed with its time by the secret', () => {
  const { headers, body } = requestOf(hook('json', 'a secret of sixteen'), message(), 5_000)
  expect(JSON.parse(body)).toEqual({
    id: 'in-1.7',
    event: 'needs_you',
    at: '1970-01-01T00:00:00.000Z',
    project: 'library',
    bead: 'bl-7',
    title: 'Pick a licence',
    text: 'MIT or GPL?',
    execution: 'ex-1',
    url: 'http://127.0.0.1:4600/p/library/b/bl-7',
  })
  const signature = createHmac('sha256', 'a secret of sixteen').update(`5.${body}`).digest('hex')
  expect(headers).toMatchObject({
    'beadloom-event': 'needs_you',
    'beadloom-delivery': 'in-1.7',
    'beadloom-timestamp': '5',
    'beadloom-signature': `sha256=${signature}`,
  })
  expect(requestOf(hook('json'), message(), 5_000).headers).not.toHaveProperty('beadloom-signature')
})

test("an agent's text can neither end a header of ntfy nor be one", () => {
  const { headers, body } = requestOf(
    hook('ntfy'),
    message({ title: 'a\r\nPriority: 5\r\n\r\n<b>\u2028é', text: 'x\ny' }),
    0,
  )
  expect(body).toBe('x\ny')
  expect(() => new Headers(headers)).not.toThrow()
  for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]*$/)
  const [, encoded = ''] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(headers['title'] ?? '') ?? []
  expect(Buffer.from(encoded, 'base64').toString()).toBe('bl-7 needs you: a Priority: 5 <b> é')
  const own = requestOf(hook('ntfy'), message({ title: '=?UTF-8?B?AAAA?=' }), 0).headers['title'] ?? ''
  expect(own).not.toContain('=?UTF-8?B?AAAA?=')
})

test("an agent's text mentions nobody and is no link in Slack", () => {
  const text = '<!channel> @here <https://evil.example|ok> https://evil.example & half \ud800'
  const { body } = requestOf(hook('slack'), message({ title: '<!everyone>', text }), 0)
  const sent = JSON.parse(body) as { text: string; mrkdwn: boolean; blocks: { text: { type: string } }[] }
  const [words = '', link] = sent.text.split(' <http://127.0.0.1:4600/')
  expect(link).toBe('p/library/b/bl-7|Open>')
  expect(words).not.toMatch(/[<>]|@here|:\/\//)
  expect(words).toContain('&lt;!channel&gt;')
  expect(sent.mrkdwn).toBe(false)
  expect(sent.blocks.map((block) => block.text.type)).toEqual(['plain_text'])
})
