import { useState } from 'react'
import css from './settings-page.module.css'
import own from './editor-section.module.css'
import { editorTemplate, setEditorTemplate, templateProblem } from '../../components/diff/editor-link.ts'

/** The editor that opens a file of a diff, in the person's own copy of the project. */
export function EditorSection() {
  const [text, setText] = useState(editorTemplate)
  const problem = templateProblem(text.trim())
  return (
    <section className={css['section']} aria-labelledby="editor">
      <h2 id="editor">Editor</h2>
      <div className={own['field']}>
        <label htmlFor="editor-url">Editor URL</label>
        <input
          id="editor-url"
          type="text"
          spellCheck={false}
          autoComplete="off"
          placeholder="vscode://file/home/me/{project}/{path}:{line}"
          value={text}
          aria-invalid={problem !== null}
          aria-describedby="editor-hint"
          onChange={({ target }) => {
            setText(target.value)
            const template = target.value.trim()
            if (templateProblem(template) === null) setEditorTemplate(template)
          }}
        />
        <p id="editor-hint" className={css['muted']} role={problem === null ? undefined : 'alert'}>
          {problem ??
            'Adds a button to each file of a diff. {project}, {path} and {line} are filled in; the folder is where your own copy is. Empty: no button.'}
        </p>
      </div>
    </section>
  )
}
