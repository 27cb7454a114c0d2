import { secretsOfChange } from '@beadloom/core/secrets/secrets-of-change.ts'
import { answerOrders } from './answer-orders.ts'
import { Readings } from './orders.ts'

const { answer } = new Readings()
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

answerOrders((order) => (order.do === 'secrets' ? secretsOfChange(order.patches.map(textOf)) : answer(order)))
