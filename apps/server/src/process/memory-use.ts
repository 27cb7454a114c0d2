import { getHeapStatistics } from 'node:v8'

/** Bytes of the heap, also of pages that V8 keeps in reserve. Opens no file: it may be asked when no more can be opened. */
export const heapBytes = (): number => getHeapStatistics().total_heap_size

/** The process's memory in bytes. Its resident size is read from a file: if no more can be opened, the heap stands for it. */
export function memoryUse(read: () => NodeJS.MemoryUsage = process.memoryUsage): NodeJS.MemoryUsage {
  try {
    return read()
  } catch {
    const { total_physical_size: rss, used_heap_size: heapUsed, external_memory: external } = getHeapStatistics()
    return { rss, heapTotal: heapBytes(), heapUsed, external, arrayBuffers: 0 }
  }
}
