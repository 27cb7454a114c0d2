import { maskedSecrets } from '@beadloom/core/secrets/masked-secrets.ts'
import { secretsOfChange } from '@beadloom/core/secrets/secrets-of-change.ts'
import { answerOrders } from '../answer-orders.ts'
import { Readings, type Order } from '../orders.ts'

/*
 * A thread like the real one, except that some words make it hang, run out of memory or fail. A real text that does so
 * is fixed as soon as it is found, so the tests need artificial ones.
 */

const readings = new Readings()

answerOrders((order) => {
  const text = textIn(order)
  if (text.includes('for ever')) for (;;);
  if (text.includes('without end')) fill()
  if (text.includes('a bug')) throw new Error('a bug of our own')
  if (order.do === 'mask') return { masked: order.texts.map(maskedSecrets) }
  return order.do === 'secrets' ? secretsOfChange([text]) : readings.answer(order)
})

function textIn(order: Order): string {
  if (order.do === 'push') return Buffer.from(order.piece.bytes).toString('utf8')
  if (order.do === 'tests') return order.change.files.map(({ patch }) => patch).join()
  if (order.do === 'verdict') return JSON.stringify(order.given)
  if (order.do === 'issue-blocks') return textOfIssues(order)
  if (order.do === 'edit-issues') return order.text
  if (order.do === 'scan-issues') return Buffer.from(order.bytes).toString('utf8')
  if (order.do === 'merge-issues') return order.texts.join('\n')
  if (order.do === 'secrets') return order.patches.map((bytes) => Buffer.from(bytes).toString('utf8')).join('\n')
  if (order.do === 'mask') return order.texts.join('\n')
  if (order.do !== 'environment') return ''
  const bad = order.texts.findIndex(([, text]) => text.includes('for ever'))
  order.reading[0] = bad
  return order.texts[bad]?.[1] ?? ''
}

function textOfIssues({ texts, without, reading }: Extract<Order, { do: 'issue-blocks' }>): string {
  for (const { bytes, first } of texts) {
    const lines = Buffer.from(bytes).toString('utf8').split('\n')
    const bad = lines.findIndex((line, at) => line.includes('for ever') && !without.has(first + at))
    if (bad < 0) continue
    reading[0] = first + bad
    reading[1] = lines[bad]?.length ?? 0
    return lines[bad] ?? ''
  }
  return ''
}

function fill(): void {
  const kept: number[][] = []
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => at))
}
