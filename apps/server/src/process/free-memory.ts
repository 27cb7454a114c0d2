import { freemem, totalmem } from 'node:os'
import type { Memory } from '@beadloom/core/dispatch/plan-warm.ts'

/** Of the machine that this server runs on; what caches could give back counts as free. */
export const freeMemory = (): Memory => ({ freeBytes: freemem(), totalBytes: totalmem() })
