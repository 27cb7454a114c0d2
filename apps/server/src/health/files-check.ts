import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { comfortableFiles, connectionBounds, openFileLimit } from '../process/descriptors.ts'

/**
 * Connections are files, so a low limit means fewer of them. Checks a running server, or one that would start from
 * here.
 */
export function checkFiles(slots: number, files = openFileLimit()): Check {
  const { perContainer, clients } = connectionBounds(files, slots)
  const may = files === Infinity ? 'any number of files' : `${files} files`
  const text = `the server may open ${may}: ${perContainer} connections for each container, ${clients} for clients`
  const needed = comfortableFiles(slots)
  if (files >= needed) return { name: 'files', ok: true, text }
  return {
    name: 'files',
    ok: false,
    text: `${text}; requests may fail when no more can be opened`,
    fix: `allow at least ${needed} for ${slots} slots: ulimit -n ${roundUp(needed)} before the start, or LimitNOFILE=${roundUp(needed)} in a service`,
  }
}

const roundUp = (files: number): number => 2 ** Math.ceil(Math.log2(files))
