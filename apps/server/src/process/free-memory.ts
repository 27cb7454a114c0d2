import { freemem, totalmem } from 'node:os'
import type { Memory } from '@beadloom/core/dispatch/warm-changes.ts'

/** The memory of the server's machine; memory that caches could give back counts as free. */
export const freeMemory = (): Memory => ({ freeBytes: freemem(), totalBytes: totalmem() })
