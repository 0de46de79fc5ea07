package jobgraph

import "strings"

// entities are the names that HTML 4 has for characters.
var entities = func() map[rune]string {
	names := map[rune]string{'"': "quot", '&': "amp", '<': "lt", '>': "gt"}
	for i, name := range strings.Fields(latin1) {
		names[rune(0xa0+i)] = name
	}
	for pair := range strings.SplitSeq(beyond, " ") {
		r, name, _ := strings.Cut(pair, "=")
		names[[]rune(r)[0]] = name
	}
	return names
}()

// latin1 is the names of U+00A0 ... U+00FF, in order.
const latin1 = `
nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
thorn yuml
`

// beyond is the names of characters after these. They stand between single spaces, as some of them are spaces.
const beyond = "" +
	"Œ=OElig œ=oelig Š=Scaron š=scaron Ÿ=Yuml ƒ=fnof ˆ=circ ˜=tilde Α=Alpha Β=Beta Γ=Gamma Δ=Delta Ε=Epsilon " +
	"Ζ=Zeta Η=Eta Θ=Theta Ι=Iota Κ=Kappa Λ=Lambda Μ=Mu Ν=Nu Ξ=Xi Ο=Omicron Π=Pi Ρ=Rho Σ=Sigma Τ=Tau Υ=Upsilon " +
	"Φ=Phi Χ=Chi Ψ=Psi Ω=Omega α=alpha β=beta γ=gamma δ=delta ε=epsilon ζ=zeta η=eta θ=theta ι=iota κ=kappa " +
	"λ=lambda μ=mu ν=nu ξ=xi ο=omicron π=pi ρ=rho ς=sigmaf σ=sigma τ=tau υ=upsilon φ=phi χ=chi ψ=psi ω=omega " +
	"ϑ=thetasym ϒ=upsih ϖ=piv \u2002=ensp \u2003=emsp \u2009=thinsp \u200c=zwnj \u200d=zwj \u200e=lrm " +
	"\u200f=rlm –=ndash —=mdash ‘=lsquo ’=rsquo ‚=sbquo “=ldquo ”=rdquo „=bdquo †=dagger ‡=Dagger •=bull " +
	"…=hellip ‰=permil ′=prime ″=Prime ‹=lsaquo ›=rsaquo ‾=oline ⁄=frasl €=euro ℑ=image ℘=weierp ℜ=real " +
	"™=trade ℵ=alefsym ←=larr ↑=uarr →=rarr ↓=darr ↔=harr ↵=crarr ⇐=lArr ⇑=uArr ⇒=rArr ⇓=dArr ⇔=hArr ∀=forall " +
	"∂=part ∃=exist ∅=empty ∇=nabla ∈=isin ∉=notin ∋=ni ∏=prod ∑=sum −=minus ∗=lowast √=radic ∝=prop ∞=infin " +
	"∠=ang ∧=and ∨=or ∩=cap ∪=cup ∫=int ∴=there4 ∼=sim ≅=cong ≈=asymp ≠=ne ≡=equiv ≤=le ≥=ge ⊂=sub ⊃=sup " +
	"⊄=nsub ⊆=sube ⊇=supe ⊕=oplus ⊗=otimes ⊥=perp ⋅=sdot ⌈=lceil ⌉=rceil ⌊=lfloor ⌋=rfloor 〈=lang 〉=rang ◊=loz " +
	"♠=spades ♣=clubs ♥=hearts ♦=diams"
