import type { ImagesView, SystemImage } from '@beadloom/core/api/server/system-api.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { exactText, sinceText } from '../../ui/text/time-text.ts'
import { FactTable, type Column } from '../../ui/fact-table.tsx'
import page from '../../ui/facts-page.module.css'

/** Images that containers start from: the size that each adds, and its last use. */
export function ImageTable({ images: { items, total, bytes }, now }: { images: ImagesView; now: number }) {
  if (total === 0) return null
  return (
    <>
      <FactTable
        label={{ text: 'Images' }}
        caption={`${counted(total, 'image')}, ${bytesText(bytes)}${items.length < total ? `, ${items.length} shown` : ''}`}
        columns={columnsOf(now)}
        rows={items}
        keyOf={({ name }) => name}
      />
      {items.map(({ name, problem }) =>
        problem === null ? null : (
          <p key={name} className={page['problem']}>
            The image {shown(name)} could not be removed, and is tried again: {shown(problem)}
          </p>
        ),
      )}
    </>
  )
}

const columnsOf = (now: number): Column<SystemImage>[] => [
  { title: 'Image', cell: ({ name }) => <code>{shown(shortName(name))}</code>, hint: ({ name }) => shown(name) },
  { title: 'Project', cell: ({ project }) => (project === null ? 'shared' : shown(project)) },
  { title: 'Adds', number: true, cell: ({ bytes }) => bytesText(bytes) },
  { title: 'Last used', cell: ({ usedAt }) => sinceText(now - usedAt), hint: ({ usedAt }) => exactText(usedAt) },
  { title: 'State', cell: stateOf },
]

const DIGITS = 8

const shortName = (name: string): string => {
  const [repository = '', tag = ''] = name.replace(/^beadloom\//, '').split(':')
  return `${repository}:${tag.slice(0, DIGITS)}`
}

function stateOf({ inUse, isOurs, problem }: SystemImage): string {
  if (inUse) return 'in use'
  if (problem !== null) return 'could not be removed'
  return isOurs ? 'kept' : 'another server’s'
}
