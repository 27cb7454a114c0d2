import { messageOf } from '@beadloom/core/text/message-of.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from '../../ports/store/errors.ts'
import { backUpDatabase } from './back-up.ts'
import type { BackUpTold } from './back-up-aside.ts'

const { file, target } = workerData as { file: string; target: string }

function told(): BackUpTold {
  try {
    return { made: backUpDatabase(file, target) }
  } catch (error) {
    const message = messageOf(error)
    return { kind: error instanceof StoreError ? error.kind : null, message }
  }
}

parentPort?.postMessage(told())
