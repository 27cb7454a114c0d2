import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useStore } from 'zustand'
import { Banner } from './banner.tsx'
import { demoIntroduced, dismissDemo } from './demo-introduced.ts'
import css from './banner.module.css'
import { IconButton } from '../../ui/button.tsx'

/** Explains the demo until somebody dismisses it in this browser. */
export function DemoBanner() {
  const gone = useStore(demoIntroduced, ({ yes }) => yes)
  if (gone) return null
  return (
    <Banner
      tone="demo"
      action={
        <IconButton label="Dismiss" onClick={dismissDemo}>
          <X size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      }
    >
      Demo: recorded run, no AI.<span className={css['more']}> Containers, commits, tests and merges are real.</span>{' '}
      <Link to="/setup">Add your own repository</Link>
    </Banner>
  )
}
