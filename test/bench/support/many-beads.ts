import { parseBeadId } from '@beadloom/core/records/ids.ts'

export const idOf = (at: number) => parseBeadId(`t-${Math.max(0, at).toString(36).padStart(5, '0')}1`)

/** The line of one bead, as `bd` writes it. Two thirds are closed, a quarter wait for another one; about 400 bytes each. */
export function lineOf(index: number, fields: Record<string, unknown> = {}): string {
  const at = '2026-01-01T00:00:00Z'
  const id = idOf(index)
  const edge = { issue_id: id, depends_on_id: idOf(index - 7), type: 'blocks', created_at: at, created_by: 'bench' }
  const open = index % 3 === 0
  return JSON.stringify({
    id,
    title: `Bead ${index}`,
    description: 'Do this, then that.\n'.repeat(8),
    status: open ? 'open' : 'closed',
    priority: index % 5,
    issue_type: 'task',
    created_at: at,
    updated_at: at,
    ...(open ? {} : { closed_at: at }),
    ...(index > 7 && index % 4 === 0 ? { dependencies: [edge] } : {}),
    ...fields,
  })
}

export const linesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => lineOf(index))
