import type { DigestVerdict } from '@beadloom/core/digest/compare-digests.ts'
import { useState } from 'react'
import { causeOf, compareAttempts, exitOf, failedStep, spentByKind, tokensOf } from './attempt-compare.ts'
import css from './attempt-dialog.module.css'
import type { Attempt } from './attempts.ts'
import { kindWords } from '../session-chip.tsx'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { spanText } from '../../../ui/text/time-text.ts'

type Props = { attempts: readonly Attempt[]; number: number; onClose: () => void }

/** An attempt beside another one of the same execution; at first, the previous one. */
export function AttemptDialog({ attempts, number, onClose }: Props) {
  const now = useServerNow()
  const [other, setOther] = useState(attempts.find((one) => one.number < number)?.number)
  const after = attempts.find((one) => one.number === number)
  const before = attempts.find((one) => one.number === other)
  if (!after || !before) return null
  const pair = [before, after]
  const found = compareAttempts(before, after)
  const [timesBefore, timesAfter] = pair.map((one) => new Map(spentByKind(one, now).map(({ kind, ms }) => [kind, ms])))
  const kinds = [...new Set([...(timesBefore?.keys() ?? []), ...(timesAfter?.keys() ?? [])])]
  const time = (ms: number | undefined) => (ms === undefined ? '–' : spanText(ms))
  const outcome = ({ passed }: Attempt) =>
    passed === null ? 'not checked yet' : passed ? 'passed checks' : 'failed checks'
  return (
    <Dialog title={`Compare attempt ${number}`} onClose={onClose} wide>
      <label className={css['choose']}>
        Compare with
        <select data-first value={other} onChange={(event) => setOther(Number(event.target.value))}>
          {attempts
            .filter((one) => one.number !== number)
            .map((one) => (
              <option key={one.number} value={one.number}>
                Attempt {one.number}
              </option>
            ))}
        </select>
      </label>
      <div className={css['scroll']} tabIndex={0} role="group" aria-label="Both attempts">
        <table className={css['table']}>
          <thead>
            <tr>
              <td />
              {pair.map((one) => (
                <th key={one.number} scope="col">
                  Attempt {one.number}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Row name="Result" cells={pair.map(outcome)} />
            <Row name="Cause" cells={pair.map((one) => shown(causeOf(one) ?? '–'))} />
            <Row name="Exit code" cells={pair.map((one) => String(exitOf(one) ?? '–'))} />
            {kinds.map((kind) => (
              <Row
                key={kind}
                name={kindWords[kind as keyof typeof kindWords] ?? kind}
                cells={[time(timesBefore?.get(kind)), time(timesAfter?.get(kind))]}
              />
            ))}
            <Row name="Tokens in" cells={pair.map((one) => countText(tokensOf(one).input))} />
            <Row name="Tokens out" cells={pair.map((one) => countText(tokensOf(one).output))} />
          </tbody>
        </table>
      </div>
      {found.verdict !== null && (
        <p className={css['verdict']}>{verdictText(found.verdict, before.number, after.number)}</p>
      )}
      <Findings title="Failed in both" findings={found.both} />
      <Findings title={`Only in attempt ${before.number}`} findings={found.onlyBefore} />
      <Findings title={`Only in attempt ${after.number}`} findings={found.onlyAfter} />
      <div className={css['digests']}>
        {pair.map((one) => {
          const digest = failedStep(one)?.digest ?? ''
          return (
            digest !== '' && (
              <details key={one.number}>
                <summary>Digest of attempt {one.number}</summary>
                <pre role="group" tabIndex={0} aria-label={`Digest of attempt ${one.number}`}>
                  {shown(digest)}
                </pre>
              </details>
            )
          )
        })}
      </div>
    </Dialog>
  )
}

const verdictText = (verdict: DigestVerdict, before: number, after: number): string =>
  verdict === 'same'
    ? 'Both failed in the same way.'
    : verdict === 'fewer'
      ? `Attempt ${after} has only some of the failures of attempt ${before}, and no new ones.`
      : `Attempt ${after} has failures that attempt ${before} did not have.`

const Row = ({ name, cells }: { name: string; cells: string[] }) => (
  <tr>
    <th scope="row">{name}</th>
    {cells.map((cell, at) => (
      <td key={at}>{cell}</td>
    ))}
  </tr>
)

/** The digests have the others. */
const MOST = 20

function Findings({ title, findings }: { title: string; findings: string[] }) {
  if (findings.length === 0) return null
  return (
    <section className={css['findings']} aria-label={title}>
      <h3>
        {title} ({countText(findings.length)})
      </h3>
      <ul>
        {findings.slice(0, MOST).map((finding, at) => (
          <li key={at}>{shown(finding)}</li>
        ))}
      </ul>
      {findings.length > MOST && <p>and {countText(findings.length - MOST)} more</p>}
    </section>
  )
}
