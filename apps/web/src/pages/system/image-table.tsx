import type { ImagesView, SystemImage } from '@beadloom/core/api/system-api.ts'
import css from './system-page.module.css'
import { shown } from '../../ui/hostile-text.ts'
import { bytesText, countOf } from '../../ui/count-text.ts'
import { exactText, sinceText } from '../../ui/time-text.ts'
import page from '../../ui/facts-page.module.css'

/** Images that containers start from: what each adds, and when it was last of use. */
export function ImageTable({ images: { items, total, bytes }, now }: { images: ImagesView; now: number }) {
  if (total === 0) return null
  return (
    <>
      <div className={css['scroll']} tabIndex={0} role="group" aria-label="Images">
        <table className={css['table']}>
          <caption>
            {countOf(total, 'image')}, {bytesText(bytes)}
            {items.length < total ? `, ${items.length} shown` : ''}
          </caption>
          <thead>
            <tr>
              <th scope="col">Image</th>
              <th scope="col">Project</th>
              <th scope="col">Adds</th>
              <th scope="col">Last used</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {items.map((image) => (
              <tr key={image.name}>
                <td>
                  <code title={shown(image.name)}>{shown(shortName(image.name))}</code>
                </td>
                <td>{image.project === null ? 'shared' : shown(image.project)}</td>
                <td>{bytesText(image.bytes)}</td>
                <td title={exactText(image.usedAt)}>{sinceText(now - image.usedAt)}</td>
                <td>{stateOf(image)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
