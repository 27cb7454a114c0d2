import { firstSteps } from './first-steps.ts'
import { StepList } from './step-list.tsx'
import { useHome } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { Verdict } from '../../ui/verdict.tsx'
import page from '../../ui/facts-page.module.css'

/** The first steps and their states, in the same words wherever they are shown. */
export function FirstStepList() {
  const { view } = useHome()
  const status = view?.status ?? null
  const steps = firstSteps(status, [...(view?.projects.values() ?? [])])
  const engine = status && (
    <>
      {status.docker.weaker.map((line) => (
        <p key={line} className={page['muted']}>
          <Verdict ok={null}>{shown(line)}</Verdict>
        </p>
      ))}
      {!status.docker.ok && (
        <p>
          Run <code>npx beadloom doctor</code> for a closer look and what to do.
        </p>
      )}
    </>
  )
  return (
    <StepList
      label="First steps"
      steps={steps.map((step) => (step.id === 'engine' ? { ...step, children: engine } : step))}
    />
  )
}
