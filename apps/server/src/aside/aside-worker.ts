import { maskedSecrets } from '@beadloom/core/secrets/masked-secrets.ts'
import { secretsOfChange } from '@beadloom/core/secrets/secrets-of-change.ts'
import { answerOrders } from './answer-orders.ts'
import { Readings } from './orders.ts'
import { readableTexts } from './readable-text.ts'

const { answer } = new Readings()
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

answerOrders((order) => {
  if (order.do === 'secrets') {
    const texts = order.texts.flatMap(({ commit, path, bytes }) =>
      readableTexts(bytes).map((text) => ({ commit, path, text })),
    )
    return secretsOfChange(order.patches.map(textOf), texts)
  }
  return order.do === 'mask' ? { masked: order.texts.map(maskedSecrets) } : answer(order)
})
