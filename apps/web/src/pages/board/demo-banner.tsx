import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { Banner } from './banner.tsx'
import { IconButton } from '../../ui/button.tsx'

const KEY = 'beadloom.demo-introduced'

const isIntroduced = (): boolean => {
  try {
    return localStorage.getItem(KEY) === 'yes'
  } catch {
    return true // it would come back with every look at the board
  }
}

/** What the demo is, once in each browser. */
export function DemoBanner() {
  const [gone, setGone] = useState(isIntroduced)
  if (gone) return null
  const dismiss = () => {
    setGone(true)
    try {
      localStorage.setItem(KEY, 'yes')
    } catch {
      // Without storage it is gone as long as the page lives.
    }
  }
  return (
    <Banner
      tone="demo"
      action={
        <IconButton label="Dismiss" onClick={dismiss}>
          <X size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      }
    >
      Demo: recorded run, no AI. Containers, commits, tests and merges are real.{' '}
      <Link to="/setup">Add your own repository</Link>
    </Banner>
  )
}
