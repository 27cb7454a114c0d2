import { parentPort } from 'node:worker_threads'
import type { Answer, Order, Told } from './orders.ts'

/** A thread aside: answers orders with `answer`, in order. An error ends the thread. */
export function answerOrders(answer: (order: Order) => Answer): void {
  parentPort?.on('message', (order: Order) => parentPort?.postMessage({ answer: answer(order) } satisfies Told))
  parentPort?.postMessage('ready' satisfies Told)
}
