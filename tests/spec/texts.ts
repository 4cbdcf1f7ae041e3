import ts from "typescript";

/**
 * Returns the texts that people read in a source or a document: each text that has a space, with its white space as
 * single spaces.
 */
export function textsOf(file: string, source: string): string[] {
  const texts = file.endsWith(".md") ? inDocument(source) : inSource(file, source);
  return texts
    .flatMap((text) => text.split(/\n\s*\n/))
    .map((text) => text.replaceAll(/\s+/g, " ").trim())
    .filter((text) => text.includes(" "));
}

/** Paragraphs, headings, list items and cells, without code, comments and marks. */
function inDocument(source: string): string[] {
  return source
    .replaceAll(/^ *```[\s\S]*?^ *```|<!--[\s\S]*?-->/gm, "\n\n")
    .split(/\n(?=\s*(?:[-*|#]|\d+\.) ?)|\||^#+ /m)
    .map((text) => text.replace(/^\s*(?:[-*]|\d+\.) /, "").replaceAll(/`[^`]*`/g, "`…`"))
    .map((text) => text.replaceAll(/\*\*|\]\([^)]*\)|\[|_/g, ""));
}

/** Strings, templates and the text of JSX elements, with an ellipsis for what is put into them. Tagged templates are SQL. */
function inSource(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isTaggedTemplateExpression(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…"));
    if (ts.isJsxElement(node))
      texts.push(node.children.map((child) => (ts.isJsxText(child) ? child.text : "…")).join(""));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return texts;
}
