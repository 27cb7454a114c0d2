import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import { readRecord, RECORD_BYTES } from './files/line-mark.ts'
import type { MarkRecord } from './files/line-mark.ts'
import { findRecord } from './files/mark-file.ts'
import { SideFile } from './files/side-file.ts'

/** Marks of the lines [from, to), which the log has. None when the file is missing or damaged. */
export async function readMarks(path: string, from: number, to: number): Promise<LogMarks> {
  if (from >= to) return { from, to: from, times: [], stderr: [] }
  const file = await SideFile.toRead(path)
  try {
    return { from, to, ...marksOf((await recordsOf(file, from, to)) ?? [], from, to) }
  } finally {
    await file.close()
  }
}

/** The records that apply to these lines, in order; null when the file is damaged. */
async function recordsOf(file: SideFile, from: number, to: number): Promise<MarkRecord[] | null> {
  const found = await findRecord(file, from)
  if (!found) return null
  const first = Math.max(0, found.index)
  const bytes = await file.read(first * RECORD_BYTES, Math.min(found.count - first, to - from + 1) * RECORD_BYTES)
  const records: MarkRecord[] = []
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    const record = readRecord(bytes, at)
    if (!record || record.line <= (records.at(-1)?.line ?? -1)) return null
    if (record.line >= to) break
    records.push(record)
  }
  return records
}

function marksOf(records: MarkRecord[], from: number, to: number): Pick<LogMarks, 'times' | 'stderr'> {
  const times: LogMarks['times'] = []
  const stderr: LogMarks['stderr'] = []
  for (const [index, record] of records.entries()) {
    const first = Math.max(record.line, from)
    if (record.at !== times.at(-1)?.[1]) times.push([first, record.at])
    if (!record.stderr) continue
    const last = (records[index + 1]?.line ?? to) - 1
    const before = stderr.at(-1)
    if (before?.[1] === first - 1) before[1] = last
    else stderr.push([first, last])
  }
  return { times, stderr }
}
