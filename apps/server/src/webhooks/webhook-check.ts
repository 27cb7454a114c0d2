import type { Check } from '@beadloom/core/api/server/server-api.ts'
import type { WebhookState } from '../ports/store/webhooks.ts'

/** The state of the webhooks, in one line; null without any. Names only: an address is a secret. */
export function webhookCheck(states: readonly WebhookState[]): Check | null {
  if (states.length === 0) return null
  const bad = states.filter(({ problem, givenUp }) => problem !== '' || givenUp > 0)
  if (bad.length === 0) return { name: 'webhooks', ok: true, text: states.map(({ name }) => name).join(', ') }
  return {
    name: 'webhooks',
    ok: bad.every(({ problem }) => problem === ''),
    text: bad.map(sentence).join(' '),
    fix: 'correct its address ("beadloom webhook edit NAME --address", or Settings) or fix the receiver; "beadloom webhook test" says whether it arrives',
  }
}

function sentence({ name, waiting, problem, givenUp, givenUpAt }: WebhookState): string {
  const trouble = problem === '' ? '' : ` ${problem}, ${waiting} waiting and tried again.`
  const lost =
    givenUp === 0 || givenUpAt === null
      ? ''
      : ` Gave up on ${givenUp}, last at ${new Date(givenUpAt).toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  return `${name}:${trouble}${lost}`
}
