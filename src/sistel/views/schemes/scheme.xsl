<?xml version="1.0" encoding="UTF-8"?>
<!-- XsysTel of a planar system to its kinematic scheme in SVG. A group per body, nested as the bodies are; its transform is
     the place of the pole and the turn of the joint. Words may be English or Russian.
     Canonical files (`sistel convert IN OUT` with the option canonical) have a <drawing> with the numbers that need more
     than printing: then the scheme is what `sistel draw` makes. Files as people write them are drawn as they stand at zero,
     by the templates at the end: they need numbers for places, no formulas. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="http://www.w3.org/2000/svg">
<xsl:output method="xml" encoding="UTF-8" indent="no"/>
<xsl:strip-space elements="*"/>

<!-- numbers, names or none -->
<xsl:param name="labels" select="'numbers'"/>
<!-- yes: arrows of the coordinates -->
<xsl:param name="arrows" select="'no'"/>
<!-- yes: centres of mass -->
<xsl:param name="centres" select="'no'"/>
<!-- yes: dimension lines -->
<xsl:param name="dimensions" select="'no'"/>
<!-- auto: as the reader's screen; light; dark -->
<xsl:param name="theme" select="'auto'"/>
<!-- screen (pixels) or print (millimetres of paper) -->
<xsl:param name="medium" select="'screen'"/>

<xsl:key name="pose" match="pose|положение" use="@of|@чего"/>
<xsl:key name="line" match="line|линия" use="@of|@чего"/>
<xsl:key name="mark" match="mark|знак" use="@of|@чего"/>
<xsl:key name="carried" match="body[@base]|тело[@база]" use="@base|@база"/>

<xsl:variable name="drawing" select="/*/drawing|/*/рисунок"/>
<xsl:variable name="poses" select="$drawing/pose|$drawing/положение"/>
<xsl:variable name="marks" select="$drawing/mark|$drawing/знак"/>
<xsl:variable name="lines" select="$drawing/line|$drawing/линия"/>
<xsl:variable name="size">
  <xsl:choose>
    <xsl:when test="$drawing"><xsl:value-of select="$drawing/@size|$drawing/@размер"/></xsl:when>
    <xsl:otherwise><xsl:value-of select="$plain-size"/></xsl:otherwise>
  </xsl:choose>
</xsl:variable>
<xsl:variable name="measured" select="($drawing/dimensions|$drawing/размеры)[$dimensions = 'yes'][(@labels = 'names' or @надписи = 'имена') = ($labels = 'names')]"/>
<!-- dimension lines have a window of their own -->
<xsl:variable name="window" select="($drawing[not($measured)]|$measured)/@*[name() = 'frame' or name() = 'рамка']"/>
<xsl:variable name="frame" select="translate($window, ' ', '')"/>
<xsl:variable name="x" select="substring-before($frame, ',')"/>
<xsl:variable name="y" select="substring-before(substring-after($frame, ','), ',')"/>
<xsl:variable name="w" select="substring-before(substring-after(substring-after($frame, ','), ','), ',')"/>
<xsl:variable name="h" select="substring-after(substring-after(substring-after($frame, ','), ','), ',')"/>
<xsl:variable name="words" select="' hinge=шарнир; support=стойка; earth=земля; carriage=каретка; guide=направляющая; gripper=схват; weld=жёстко; motor=привод; coil=пружина; contact=контакт;'"/>

<!-- Joints in the words of the drawing, so that it can be read back. -->
<xsl:variable name="joints" select="' ПКП1=prismatic; ВКП=revolute; ПКП2=prismatic2; СКП=free; ЖКП=fixed; 0=prismatic; 1=revolute; 2=prismatic2; 3=free; prismatic=prismatic; revolute=revolute; prismatic2=prismatic2; free=free; fixed=fixed; weld=fixed; поступательная=prismatic; вращательная=revolute; свободная=free; жёсткая=fixed; жесткая=fixed;'"/>

<xsl:template match="/">
  <xsl:choose>
    <xsl:when test="$drawing and ($frame = '' or not($size &gt; 0))">
      <xsl:message terminate="yes">The drawing in this file is damaged: sistel convert IN OUT --canonical writes it. | Рисунок в файле повреждён: его записывает sistel convert ИЗ В --canonical.</xsl:message>
    </xsl:when>
    <xsl:when test="$drawing"><xsl:apply-templates/></xsl:when>
    <xsl:otherwise><xsl:apply-templates mode="plain"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<xsl:template match="system|системаТел">
  <!-- as large as fits: 640 by 520 pixels, or 170 by 220 mm -->
  <xsl:variable name="wide" select="640 * ($medium != 'print') + 170 * ($medium = 'print')"/>
  <xsl:variable name="high" select="520 * ($medium != 'print') + 220 * ($medium = 'print')"/>
  <xsl:variable name="fits" select="$w * $high &gt; $h * $wide"/>
  <xsl:variable name="scale" select="($wide div $w) * $fits + ($high div $h) * not($fits)"/>
  <xsl:variable name="unit" select="substring('mm', 1, 2 * ($medium = 'print'))"/>
  <xsl:call-template name="break"/>
  <svg version="1.1" class="sistel-scheme" role="img" width="{format-number($w * $scale, '0.##')}{$unit}" height="{format-number($h * $scale, '0.##')}{$unit}" viewBox="{$x} {$y} {$w} {$h}">
    <xsl:call-template name="break"/>
    <title><xsl:value-of select="@name|@имя"/></title>
    <xsl:call-template name="break"/>
    <defs>
      <xsl:call-template name="style"/>
      <xsl:call-template name="markers"/>
      <xsl:call-template name="break"/>
    </defs>
    <xsl:call-template name="break"/>
    <rect class="paper" x="{$x}" y="{$y}" width="{$w}" height="{$h}"/>
    <!-- under the bodies: extension lines come out from behind them -->
    <xsl:apply-templates select="$measured/dimension|$measured/размер"/>
    <xsl:call-template name="break"/>
    <g id="тело_0" transform="translate(0,0)" stroke-width="{format-number(0.3 * $size, '0.####')}">
      <xsl:call-template name="own"><xsl:with-param name="who" select="'0'"/></xsl:call-template>
      <xsl:apply-templates select="body[not(@base)]|тело[not(@база)]"/>
      <!-- what lies over the bodies -->
      <xsl:apply-templates select="key('line', '0')[@kind = 'spring' or @вид = 'пружина']"/>
      <xsl:call-template name="break"/>
    </g>
    <xsl:if test="$labels != 'none'"><xsl:apply-templates select="//body|//тело" mode="label"/></xsl:if>
    <xsl:call-template name="break"/>
  </svg>
  <xsl:call-template name="break"/>
</xsl:template>

<xsl:template match="body|тело">
  <xsl:variable name="name" select="string(@name|@имя)"/>
  <xsl:variable name="pose" select="key('pose', $name)"/>
  <xsl:variable name="free" select="@joint = 'free' or @КП = 'СКП'"/>
  <xsl:call-template name="break"/>
  <g id="тело_{@number|@номер}">
    <xsl:attribute name="transform">
      <xsl:text>translate(</xsl:text>
      <xsl:value-of select="translate($pose/@place|$pose/@место, ' ', '')"/>
      <xsl:if test="not($pose/@place|$pose/@место)">0,0</xsl:if>
      <xsl:text>)</xsl:text>
      <xsl:if test="$pose/@turn|$pose/@поворот">
        <xsl:text> rotate(</xsl:text><xsl:value-of select="$pose/@turn|$pose/@поворот"/><xsl:text>)</xsl:text>
      </xsl:if>
    </xsl:attribute>
    <xsl:attribute name="data-joint">
      <xsl:value-of select="@joint"/>
      <xsl:value-of select="substring-before(substring-after($joints, concat(' ', @КП, '=')), ';')"/>
    </xsl:attribute>
    <xsl:if test="(@joint = 'prismatic' or @КП = 'ПКП1') and @axis|@ось">
      <xsl:attribute name="data-axis"><xsl:value-of select="@axis|@ось"/></xsl:attribute>
    </xsl:if>
    <title><xsl:value-of select="$name"/></title>
    <!-- A free body carries the hinges of those that hang on its pole, so it lies over them. -->
    <xsl:if test="not($free)"><xsl:call-template name="own"><xsl:with-param name="who" select="$name"/></xsl:call-template></xsl:if>
    <xsl:apply-templates select="body[not(@base)]|тело[not(@база)]|key('carried', $name)"/>
    <xsl:if test="$free"><xsl:call-template name="own"><xsl:with-param name="who" select="$name"/></xsl:call-template></xsl:if>
  </g>
</xsl:template>

<!-- The drawing of one body: its shapes, the lines that stand for shapes, its marks. -->
<xsl:template name="own">
  <xsl:param name="who"/>
  <xsl:variable name="mine" select="key('mark', $who)"/>
  <xsl:variable name="paths" select="shape|форма|box|коробка|cylinder|цилиндр|sphere|шар|circle|круг|cone|конус|capsule|капсула|polygon|многоугольник|polyline|ломаная|world/*|мир/*|key('line', $who)[not(@kind = 'spring' or @вид = 'пружина')]"/>
  <xsl:variable name="pole" select="$mine[not(@at|@место|@turn|@поворот)]"/>
  <!-- One line that begins at the pole bears the mark of the pole, as in the papers. -->
  <xsl:variable name="bears" select="count($paths) = 1 and count($pole) = 1 and starts-with(translate($paths/@d, 'M', 'm'), 'm0,0') and not($paths/@place|$paths/@место|$paths/@turn|$paths/@поворот)"/>
  <xsl:apply-templates select="$paths">
    <xsl:with-param name="mark" select="$pole[$bears]"/>
    <xsl:with-param name="ground" select="$who = '0'"/>
  </xsl:apply-templates>
  <xsl:apply-templates select="$mine[not($bears) or @at|@место|@turn|@поворот]"/>
  <xsl:variable name="pose" select="key('pose', $who)"/>
  <xsl:if test="$centres = 'yes' and $pose/@com|$pose/@ЦМ">
    <xsl:call-template name="place"><xsl:with-param name="id" select="'центр'"/><xsl:with-param name="at" select="$pose/@com|$pose/@ЦМ"/></xsl:call-template>
  </xsl:if>
  <xsl:if test="$arrows = 'yes' and $who != '0'">
    <xsl:if test="@joint = 'revolute' or @КП = 'ВКП' or @joint = 'free' or @КП = 'СКП'">
      <xsl:call-template name="place"><xsl:with-param name="id" select="'поворот'"/><xsl:with-param name="at" select="'0,0'"/></xsl:call-template>
    </xsl:if>
    <xsl:if test="@joint = 'prismatic' or @КП = 'ПКП1'">
      <xsl:call-template name="place">
        <xsl:with-param name="id" select="'ход'"/><xsl:with-param name="at" select="'0,0'"/>
        <xsl:with-param name="turn" select="$mine[@kind = 'carriage' or @kind = 'guide' or @вид = 'каретка' or @вид = 'направляющая']/@*[name() = 'turn' or name() = 'поворот']"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:if>
</xsl:template>

<xsl:template match="shape|форма">
  <xsl:param name="mark"/>
  <xsl:param name="ground"/>
  <xsl:variable name="closed" select="contains(translate(@d, 'Z', 'z'), 'z')"/>
  <xsl:call-template name="break"/>
  <path d="{@d}">
    <xsl:attribute name="class">
      <xsl:choose>
        <xsl:when test="$ground and $closed">earth solid</xsl:when>
        <xsl:when test="$ground">earth</xsl:when>
        <xsl:when test="$closed">link solid</xsl:when>
        <xsl:otherwise>link</xsl:otherwise>
      </xsl:choose>
    </xsl:attribute>
    <xsl:call-template name="look"><xsl:with-param name="closed" select="$closed"/><xsl:with-param name="ground" select="$ground"/></xsl:call-template>
    <xsl:if test="$mark"><xsl:attribute name="marker-start"><xsl:apply-templates select="$mark" mode="url"/></xsl:attribute></xsl:if>
  </path>
</xsl:template>

<xsl:template match="box|коробка">
  <xsl:param name="ground"/>
  <xsl:variable name="sides" select="concat(translate(@size|@размеры, ' ', ''), ',')"/>
  <xsl:variable name="across"><xsl:call-template name="length"><xsl:with-param name="text" select="substring-before(@size|@размеры, ',')"/></xsl:call-template></xsl:variable>
  <xsl:variable name="down"><xsl:call-template name="length"><xsl:with-param name="text" select="substring-before(concat(substring-after(@size|@размеры, ','), ','), ',')"/></xsl:call-template></xsl:variable>
  <xsl:call-template name="break"/>
  <path class="{substring('linkearth', 1 + 4 * boolean(parent::world|parent::мир), 4 + boolean(parent::world|parent::мир))} solid" d="m{format-number(-$across div 2, '0.####')},{format-number(-$down div 2, '0.####')}h{$across}v{$down}h{-$across}z">
    <xsl:call-template name="look"><xsl:with-param name="closed" select="true()"/><xsl:with-param name="ground" select="$ground"/></xsl:call-template>
  </path>
</xsl:template>

<xsl:template match="polygon|многоугольник|polyline|ломаная">
  <xsl:param name="ground"/>
  <xsl:variable name="closed" select="boolean(self::polygon or self::многоугольник)"/>
  <xsl:variable name="corners"><xsl:call-template name="lengths"><xsl:with-param name="text" select="@points|@точки"/></xsl:call-template></xsl:variable>
  <xsl:call-template name="break"/>
  <path d="M{$corners}{substring('z', 1, number($closed))}">
    <xsl:attribute name="class">
      <xsl:choose>
        <xsl:when test="$ground and $closed">earth solid</xsl:when>
        <xsl:when test="$ground">earth</xsl:when>
        <xsl:when test="$closed">link solid</xsl:when>
        <xsl:otherwise>link</xsl:otherwise>
      </xsl:choose>
    </xsl:attribute>
    <xsl:call-template name="look"><xsl:with-param name="closed" select="$closed"/><xsl:with-param name="ground" select="$ground"/></xsl:call-template>
  </path>
</xsl:template>

<!-- Round things stand on the plane: their circle is seen. -->
<xsl:template match="cylinder|цилиндр|sphere|шар|circle|круг|cone|конус|capsule|капсула">
  <xsl:param name="ground"/>
  <xsl:variable name="r"><xsl:call-template name="length"><xsl:with-param name="text" select="@radius|@радиус"/></xsl:call-template></xsl:variable>
  <xsl:call-template name="break"/>
  <!-- What may roll shows by a radius how it is turned. -->
  <xsl:variable name="spoke"><xsl:if test="not(parent::world|parent::мир) and (self::circle or self::круг or @name or @имя)">m<xsl:value-of select="$r"/>,0h<xsl:value-of select="$r"/></xsl:if></xsl:variable>
  <path class="{substring('linkearth', 1 + 4 * boolean(parent::world|parent::мир), 4 + boolean(parent::world|parent::мир))} solid" d="m-{$r},0a{$r},{$r},0,1,1,{2 * $r},0a{$r},{$r},0,1,1,-{2 * $r},0z{$spoke}">
    <xsl:call-template name="look"><xsl:with-param name="closed" select="true()"/><xsl:with-param name="ground" select="$ground"/></xsl:call-template>
  </path>
</xsl:template>

<!-- Place, turn, colour and weight of a declared shape. -->
<xsl:template name="look">
  <xsl:param name="closed"/>
  <xsl:param name="ground"/>
  <xsl:if test="@place|@место|@turn|@поворот">
    <xsl:attribute name="transform">
      <xsl:if test="@place|@место">
        <xsl:text>translate(</xsl:text>
        <xsl:call-template name="length"><xsl:with-param name="text" select="substring-before(@place|@место, ',')"/></xsl:call-template>
        <xsl:text>,</xsl:text>
        <xsl:call-template name="length"><xsl:with-param name="text" select="substring-after(@place|@место, ',')"/></xsl:call-template>
        <xsl:text>)</xsl:text>
      </xsl:if>
      <xsl:if test="@turn|@поворот">
        <xsl:text>rotate(</xsl:text>
        <xsl:call-template name="angle"><xsl:with-param name="text" select="@turn|@поворот"/></xsl:call-template>
        <xsl:text>)</xsl:text>
      </xsl:if>
    </xsl:attribute>
  </xsl:if>
  <xsl:if test="$closed or $ground"><xsl:attribute name="stroke-width"><xsl:value-of select="format-number(0.2 * $size, '0.####')"/></xsl:attribute></xsl:if>
  <xsl:if test="@colour|@цвет">
    <xsl:attribute name="style">
      <xsl:choose>
        <xsl:when test="$closed">fill:<xsl:value-of select="@colour|@цвет"/>;fill-opacity:0.45</xsl:when>
        <xsl:otherwise>stroke:<xsl:value-of select="@colour|@цвет"/></xsl:otherwise>
      </xsl:choose>
    </xsl:attribute>
  </xsl:if>
</xsl:template>

<xsl:template match="line|линия">
  <xsl:param name="mark"/>
  <xsl:call-template name="break"/>
  <path d="{@d}">
    <xsl:choose>
      <xsl:when test="@kind = 'link' or @вид = 'звено'"><xsl:attribute name="class">link</xsl:attribute></xsl:when>
      <xsl:when test="@kind = 'plate' or @вид = 'пластина'"><xsl:attribute name="class">link solid</xsl:attribute></xsl:when>
      <xsl:when test="@kind = 'rail' or @вид = 'рельс'">
        <xsl:attribute name="class">earth</xsl:attribute>
        <xsl:attribute name="stroke-width"><xsl:value-of select="format-number(0.2 * $size, '0.####')"/></xsl:attribute>
        <xsl:if test="@of = '0' or @чего = '0'"><xsl:attribute name="marker-start">url(#земля)</xsl:attribute></xsl:if>
      </xsl:when>
      <xsl:when test="@kind = 'ground' or @вид = 'земля'">
        <xsl:attribute name="class">earth</xsl:attribute>
        <xsl:attribute name="stroke-width"><xsl:value-of select="format-number(0.2 * $size, '0.####')"/></xsl:attribute>
        <xsl:attribute name="marker-start">url(#земля)</xsl:attribute>
        <xsl:attribute name="marker-mid">url(#земля)</xsl:attribute>
        <xsl:attribute name="marker-end">url(#земля)</xsl:attribute>
      </xsl:when>
      <xsl:when test="@kind = 'profile' or @вид = 'профиль'">
        <xsl:variable name="before" select="count(preceding-sibling::*[@kind = 'profile' or @вид = 'профиль'])"/>
        <xsl:variable name="colour" select="//profile[$before + 1]/@colour|//профиль[$before + 1]/@цвет"/>
        <xsl:attribute name="class">earth</xsl:attribute>
        <xsl:attribute name="stroke-width"><xsl:value-of select="format-number(0.2 * $size, '0.####')"/></xsl:attribute>
        <xsl:if test="$colour"><xsl:attribute name="style">stroke:<xsl:value-of select="$colour"/></xsl:attribute></xsl:if>
      </xsl:when>
      <xsl:when test="@kind = 'hatch' or @вид = 'штриховка'">
        <xsl:attribute name="class">earth</xsl:attribute>
        <xsl:attribute name="stroke-width"><xsl:value-of select="format-number(0.1 * $size, '0.####')"/></xsl:attribute>
      </xsl:when>
      <xsl:otherwise>
        <xsl:attribute name="class">spring</xsl:attribute>
        <xsl:attribute name="stroke-width"><xsl:value-of select="format-number(0.12 * $size, '0.####')"/></xsl:attribute>
      </xsl:otherwise>
    </xsl:choose>
    <xsl:if test="$mark"><xsl:attribute name="marker-start"><xsl:apply-templates select="$mark" mode="url"/></xsl:attribute></xsl:if>
  </path>
</xsl:template>

<xsl:template match="mark|знак">
  <xsl:call-template name="place">
    <xsl:with-param name="id"><xsl:apply-templates select="." mode="id"/></xsl:with-param>
    <xsl:with-param name="at" select="@at|@место"/>
    <xsl:with-param name="turn" select="@turn|@поворот"/>
  </xsl:call-template>
</xsl:template>

<xsl:template match="mark|знак" mode="id">
  <xsl:variable name="found" select="substring-before(substring-after($words, concat(' ', @kind, '=')), ';')"/>
  <xsl:value-of select="@вид"/><xsl:if test="@kind"><xsl:value-of select="$found"/></xsl:if>
</xsl:template>

<xsl:template match="mark|знак" mode="url">url(#<xsl:apply-templates select="." mode="id"/>)</xsl:template>

<!-- A mark by itself: a line without length, which bears nothing but its marker. -->
<xsl:template name="place">
  <xsl:param name="id"/>
  <xsl:param name="at"/>
  <xsl:param name="turn"/>
  <xsl:variable name="point"><xsl:value-of select="translate($at, ' ', '')"/><xsl:if test="not(string($at))">0,0</xsl:if></xsl:variable>
  <xsl:call-template name="break"/>
  <xsl:choose>
    <xsl:when test="string($turn)"><path class="mark" d="m0,0h0" transform="translate({$point}) rotate({$turn})" marker-start="url(#{$id})"/></xsl:when>
    <xsl:otherwise><path class="mark" d="m{$point}h0" marker-start="url(#{$id})"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<xsl:template match="body|тело" mode="label">
  <xsl:variable name="pose" select="key('pose', string(@name|@имя))"/>
  <xsl:variable name="named" select="$labels = 'names'"/>
  <xsl:variable name="at" select="translate($pose/@label[not($named)]|$pose/@номер-у[not($named)]|$pose/@caption[$named]|$pose/@имя-у[$named], ' ', '')"/>
  <xsl:variable name="side" select="$pose/@side[not($named)]|$pose/@сторона[not($named)]|$pose/@caption-side[$named]|$pose/@сторона-имени[$named]"/>
  <xsl:if test="$at">
    <xsl:call-template name="break"/>
    <text x="{substring-before($at, ',')}" y="{substring-after($at, ',')}" font-size="{format-number(1.3 * $size, '0.####')}">
      <xsl:attribute name="text-anchor">
        <xsl:choose>
          <xsl:when test="$side = 'start' or $side = 'начало'">start</xsl:when>
          <xsl:when test="$side = 'end' or $side = 'конец'">end</xsl:when>
          <xsl:otherwise>middle</xsl:otherwise>
        </xsl:choose>
      </xsl:attribute>
      <xsl:choose>
        <xsl:when test="$named">
          <xsl:value-of select="substring(@name|@имя, 1, 24)"/>
          <xsl:if test="string-length(@name|@имя) &gt; 24">…</xsl:if>
        </xsl:when>
        <xsl:otherwise><xsl:value-of select="@number|@номер"/></xsl:otherwise>
      </xsl:choose>
    </text>
  </xsl:if>
</xsl:template>

<!-- A dimension line in axes of its own; lengths are in sizes of a hinge: the font is 1.05 high, a figure 0.66 of it wide.
     Numbers are rounded here: processors differ in how they print what lies half way. -->
<xsl:template match="dimension|размер">
  <xsl:variable name="radius" select="@kind = 'radius' or @вид = 'радиус'"/>
  <xsl:variable name="at"><xsl:value-of select="translate(@place|@место, ' ', '')"/><xsl:if test="not(@place|@место)">0,0</xsl:if></xsl:variable>
  <xsl:variable name="l" select="number(@length|@длина)"/>
  <xsl:variable name="y" select="number(concat('0', translate(@offset|@отступ, '-', ''))) * (1 - 2 * starts-with(@offset|@отступ, '-'))"/>
  <xsl:variable name="rise" select="number(concat('0', translate(@rise|@уступ, '-', ''))) * (1 - 2 * starts-with(@rise|@уступ, '-'))"/>
  <xsl:variable name="start" select="@side = 'start' or @сторона = 'начало'"/>
  <xsl:variable name="end" select="@side = 'end' or @сторона = 'конец'"/>
  <xsl:variable name="text">
    <xsl:if test="$radius">R</xsl:if>
    <xsl:choose>
      <xsl:when test="$l &lt; 100"><xsl:value-of select="format-number(floor(100 * $l + 0.5) div 100, '0.##')"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="format-number(floor(10 * $l + 0.5) div 10, '0.#')"/></xsl:otherwise>
    </xsl:choose>
  </xsl:variable>
  <xsl:variable name="wide" select="0.66 * 1.05 * $size * string-length($text)"/>
  <xsl:variable name="beside" select="0.9 * $size + $wide"/>
  <!-- where the number stands beside, what lies beyond which end -->
  <xsl:variable name="left" select="-$beside * $start - 1.7 * $size * ($end and not($radius)) - $l * ($radius and $start) + $l * ($radius and $end)"/>
  <xsl:variable name="right" select="($l + $beside) * $end + ($l + 1.7 * $size) * ($start and not($radius)) - $l * ($radius and $start) + $l * not($start or $end)"/>
  <xsl:variable name="middle" select="0.5 * $l * not($start or $end) + ($l + $beside - 0.5 * $wide) * $end - ($l * $radius + $beside - 0.5 * $wide) * $start"/>
  <xsl:variable name="first" select="$size * (1 - 2 * ($y &lt; 0))"/>
  <xsl:variable name="last" select="$size * (1 - 2 * ($y &lt; $rise))"/>
  <xsl:variable name="in" select="0.85 * $size * (1 - 2 * ($start or $end))"/>
  <xsl:variable name="half" select="format-number(floor(1000 * (0.19 * $size) + 0.5) div 1000, '0.###')"/>
  <xsl:variable name="height" select="format-number($y, '0.###')"/>
  <xsl:call-template name="break"/>
  <g class="dimension" stroke-width="{format-number(floor(1000 * (0.08 * $size) + 0.5) div 1000, '0.###')}">
    <xsl:attribute name="transform">
      <xsl:text>translate(</xsl:text><xsl:value-of select="$at"/><xsl:text>)</xsl:text>
      <xsl:if test="@turn|@поворот"><xsl:text> rotate(</xsl:text><xsl:value-of select="@turn|@поворот"/><xsl:text>)</xsl:text></xsl:if>
    </xsl:attribute>
    <path>
      <xsl:attribute name="d">
        <xsl:value-of select="concat('M', format-number(floor(1000 * ($left) + 0.5) div 1000, '0.###'), ',', $height, 'H', format-number(floor(1000 * ($right) + 0.5) div 1000, '0.###'))"/>
        <xsl:if test="not($radius)">
          <xsl:value-of select="concat('M0,', format-number(floor(1000 * (0.8 * $first) + 0.5) div 1000, '0.###'), 'V', format-number(floor(1000 * ($y + 0.5 * $first) + 0.5) div 1000, '0.###'))"/>
          <xsl:value-of select="concat('M', format-number($l, '0.###'), ',', format-number(floor(1000 * ($rise + 0.8 * $last) + 0.5) div 1000, '0.###'), 'V', format-number(floor(1000 * ($y + 0.5 * $last) + 0.5) div 1000, '0.###'))"/>
        </xsl:if>
      </xsl:attribute>
    </path>
    <path class="tip">
      <xsl:attribute name="d">
        <xsl:if test="not($radius) or $start">
          <xsl:value-of select="concat('M', format-number(floor(1000 * (-$l * $radius) + 0.5) div 1000, '0.###'), ',', $height, 'l', format-number(floor(1000 * ($in) + 0.5) div 1000, '0.###'), ',-', $half, 'v', format-number(floor(1000 * (0.38 * $size) + 0.5) div 1000, '0.###'), 'z')"/>
        </xsl:if>
        <xsl:if test="not($radius and $start)">
          <xsl:value-of select="concat('M', format-number($l, '0.###'), ',', $height, 'l', format-number(floor(1000 * (-$in) + 0.5) div 1000, '0.###'), ',-', $half, 'v', format-number(floor(1000 * (0.38 * $size) + 0.5) div 1000, '0.###'), 'z')"/>
        </xsl:if>
      </xsl:attribute>
    </path>
    <text x="{format-number(floor(1000 * ($middle) + 0.5) div 1000, '0.###')}" y="{format-number(floor(1000 * ($y - 0.28 * $size) + 0.5) div 1000, '0.###')}" font-size="{format-number(floor(1000 * (1.05 * $size) + 0.5) div 1000, '0.###')}" text-anchor="middle"><xsl:value-of select="$text"/></text>
  </g>
</xsl:template>

<!-- Numbers of the canonical text are in millimetres and degrees, or in SI with a unit behind a blank. -->
<xsl:template name="length">
  <xsl:param name="text"/>
  <xsl:call-template name="number"><xsl:with-param name="text" select="normalize-space($text)"/><xsl:with-param name="unit" select="1000"/></xsl:call-template>
</xsl:template>

<!-- numbers with commas between them -->
<xsl:template name="lengths">
  <xsl:param name="text"/>
  <xsl:call-template name="length"><xsl:with-param name="text" select="substring-before(concat($text, ','), ',')"/></xsl:call-template>
  <xsl:if test="contains($text, ',')">
    <xsl:text>,</xsl:text>
    <xsl:call-template name="lengths"><xsl:with-param name="text" select="substring-after($text, ',')"/></xsl:call-template>
  </xsl:if>
</xsl:template>

<xsl:template name="angle">
  <xsl:param name="text"/>
  <xsl:call-template name="number"><xsl:with-param name="text" select="normalize-space($text)"/><xsl:with-param name="unit" select="57.29577951308232"/></xsl:call-template>
</xsl:template>

<xsl:template name="number">
  <xsl:param name="text"/>
  <xsl:param name="unit"/>
  <xsl:choose>
    <!-- XPath 1.0 has no powers of ten; only dust is written with a negative one. -->
    <xsl:when test="contains($text, 'e-') or $text = ''">0</xsl:when>
    <xsl:when test="contains($text, ' ')"><xsl:value-of select="format-number(substring-before($text, ' ') * $unit, '0.####')"/></xsl:when>
    <xsl:otherwise><xsl:value-of select="format-number($text, '0.####')"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<xsl:template name="break"><xsl:text>&#10;</xsl:text></xsl:template>

<xsl:template name="style">
  <style>
    <xsl:text>&#10;.sistel-scheme .paper{fill:#ffffff}
.sistel-scheme path,.sistel-scheme circle,.sistel-scheme .box{fill:none;stroke:#1a222b;stroke-linejoin:round;stroke-linecap:round}
.sistel-scheme .solid{fill:#e4ebf1}
.sistel-scheme .earth{stroke:#7d8a96}
.sistel-scheme .earth.solid{fill:#eceff2}
.sistel-scheme .hollow{fill:#ffffff}
.sistel-scheme .full{fill:#1a222b}
.sistel-scheme .spring,.sistel-scheme .drive{stroke:#8a5200}
.sistel-scheme .arrow{stroke:#1c6797}
.sistel-scheme .arrow.full{fill:#1c6797}
.sistel-scheme .touch{fill:#b3261e;stroke:none}
.sistel-scheme .mark{stroke:none}
.sistel-scheme text{font-family:"DejaVu Sans","Segoe UI",Roboto,system-ui,sans-serif;fill:#1a222b}
</xsl:text>
    <xsl:if test="$measured">
      <xsl:text>.sistel-scheme .dimension path{stroke:#52606d;stroke-linecap:butt}
.sistel-scheme .dimension .tip{fill:#52606d;stroke:none}
.sistel-scheme .dimension text{fill:#52606d}
</xsl:text>
    </xsl:if>
    <xsl:if test="$theme != 'light'">
      <xsl:if test="$theme != 'dark'">@media (prefers-color-scheme:dark){&#10;</xsl:if>
      <xsl:text>.sistel-scheme .paper{fill:#11161b}
.sistel-scheme path,.sistel-scheme circle,.sistel-scheme .box{stroke:#e4eaf0}
.sistel-scheme .solid{fill:#26323d}
.sistel-scheme .earth{stroke:#6d7b88}
.sistel-scheme .earth.solid{fill:#1c242b}
.sistel-scheme .hollow{fill:#11161b}
.sistel-scheme .full{fill:#e4eaf0}
.sistel-scheme .spring,.sistel-scheme .drive{stroke:#f0c060}
.sistel-scheme .arrow{stroke:#7cbce4}
.sistel-scheme .arrow.full{fill:#7cbce4}
.sistel-scheme .touch{fill:#ff8f85;stroke:none}
.sistel-scheme .mark{stroke:none}
.sistel-scheme text{fill:#e4eaf0}
</xsl:text>
      <xsl:if test="$measured">
        <xsl:text>.sistel-scheme .dimension path{stroke:#a0aebb}
.sistel-scheme .dimension .tip{fill:#a0aebb;stroke:none}
.sistel-scheme .dimension text{fill:#a0aebb}
</xsl:text>
      </xsl:if>
      <xsl:if test="$theme != 'dark'">}&#10;</xsl:if>
    </xsl:if>
  </style>
</xsl:template>

<!-- The library of marks, in tenths of a hinge; only what is used. -->
<xsl:template name="markers">
  <xsl:if test="$marks[@kind = 'earth' or @вид = 'земля'] or $lines[@kind = 'ground' or @kind = 'rail' or @вид = 'земля' or @вид = 'рельс']">
    <xsl:call-template name="marker"><xsl:with-param name="id" select="'земля'"/><xsl:with-param name="orient" select="'auto'"/></xsl:call-template>
  </xsl:if>
  <xsl:if test="$marks[@kind = 'support' or @вид = 'стойка']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'стойка'"/></xsl:call-template></xsl:if>
  <xsl:if test="$marks[@kind = 'hinge' or @вид = 'шарнир']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'шарнир'"/></xsl:call-template></xsl:if>
  <xsl:if test="$marks[@kind = 'carriage' or @вид = 'каретка']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'каретка'"/></xsl:call-template></xsl:if>
  <xsl:if test="$marks[@kind = 'guide' or @вид = 'направляющая']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'направляющая'"/></xsl:call-template></xsl:if>
  <xsl:if test="$marks[@kind = 'gripper' or @вид = 'схват']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'схват'"/></xsl:call-template></xsl:if>
  <xsl:if test="$marks[@kind = 'weld' or @вид = 'жёстко']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'жёстко'"/></xsl:call-template></xsl:if>
  <xsl:if test="$marks[@kind = 'motor' or @вид = 'привод']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'привод'"/></xsl:call-template></xsl:if>
  <xsl:if test="$marks[@kind = 'coil' or @вид = 'пружина']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'пружина'"/></xsl:call-template></xsl:if>
  <xsl:if test="$marks[@kind = 'contact' or @вид = 'контакт']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'контакт'"/></xsl:call-template></xsl:if>
  <xsl:if test="$centres = 'yes' and $poses[@com or @ЦМ]"><xsl:call-template name="marker"><xsl:with-param name="id" select="'центр'"/></xsl:call-template></xsl:if>
  <xsl:if test="$arrows = 'yes'">
    <xsl:if test="//body[@joint = 'revolute' or @joint = 'free']|//тело[@КП = 'ВКП' or @КП = 'СКП']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'поворот'"/></xsl:call-template></xsl:if>
    <xsl:if test="//body[@joint = 'prismatic']|//тело[@КП = 'ПКП1']"><xsl:call-template name="marker"><xsl:with-param name="id" select="'ход'"/></xsl:call-template></xsl:if>
  </xsl:if>
</xsl:template>

<xsl:template name="marker">
  <xsl:param name="id"/>
  <xsl:param name="orient" select="'0'"/>
  <xsl:variable name="wide" select="format-number(2 * $size, '0.####')"/>
  <xsl:call-template name="break"/>
  <marker id="{$id}" viewBox="-10 -10 20 20" markerWidth="{$wide}" markerHeight="{$wide}" markerUnits="userSpaceOnUse" overflow="visible" orient="{$orient}">
    <xsl:choose>
      <xsl:when test="$id = 'земля'"><path class="earth" stroke-width="2" d="m-20,0h40"/><path class="earth" stroke-width="1" d="m-14,0l-6,6m14,-6l-6,6m14,-6l-6,6m14,-6l-6,6m14,-6l-6,6"/></xsl:when>
      <xsl:when test="$id = 'стойка'"><path class="hollow earth" stroke-width="1.4" d="m0,0l-8,14h16z"/><path class="earth" stroke-width="2" d="m-14,14h28"/><path class="earth" stroke-width="1" d="m-9,14l-5,5m11,-5l-5,5m11,-5l-5,5m11,-5l-5,5m11,-5l-5,5"/></xsl:when>
      <xsl:when test="$id = 'шарнир'"><circle class="hollow" r="5" stroke-width="1.4"/></xsl:when>
      <xsl:when test="$id = 'каретка'"><path class="hollow" stroke-width="1.6" d="m-16,-8h32v16h-32z"/></xsl:when>
      <xsl:when test="$id = 'направляющая'"><path class="hollow" stroke="none" d="m-14,-6h28v12h-28z" style="stroke:none"/><path stroke-width="3" d="m-14,-7h28m-28,14h28"/></xsl:when>
      <xsl:when test="$id = 'схват'"><path stroke-width="3" d="m0,0h6m12,-9h-12v18h12"/></xsl:when>
      <xsl:when test="$id = 'жёстко'"><path class="full" stroke-width="1" d="m-4,-4h8v8h-8z"/></xsl:when>
      <xsl:when test="$id = 'привод'"><circle class="drive" r="9" stroke-width="1.4"/></xsl:when>
      <xsl:when test="$id = 'пружина'"><path class="spring" stroke-width="1.2" d="m0,-7a7,7,0,0,1,0,14a8,8,0,0,1,0,-17a9.5,9.5,0,0,1,0,20a11,11,0,0,1,-11,-11"/></xsl:when>
      <xsl:when test="$id = 'контакт'"><circle class="touch" r="3.4"/></xsl:when>
      <xsl:when test="$id = 'центр'"><circle class="hollow" r="5.5" stroke-width="1"/><path class="full" stroke-width="0.5" d="m0,0v-5.5a5.5,5.5,0,0,1,5.5,5.5zv5.5a5.5,5.5,0,0,1,-5.5,-5.5z"/></xsl:when>
      <xsl:when test="$id = 'поворот'"><path class="arrow" stroke-width="1.4" d="m-12,-7.5a14,14,0,0,1,25.8,5"/><path class="arrow full" stroke-width="0.5" d="m14,1l-3.4,-5l6,-0.9z"/></xsl:when>
      <xsl:otherwise><path class="arrow" stroke-width="1.4" d="m-10,-13h22"/><path class="arrow full" stroke-width="0.5" d="m16,-13l-6,-3v6z"/></xsl:otherwise>
    </xsl:choose>
  </marker>
</xsl:template>

<!-- Files as people write them: at zero, in the form of the papers. -->

<!-- Places that the picture has to show: x, y and how far around. -->
<xsl:variable name="reach"><xsl:if test="not($drawing)"><xsl:apply-templates select="/*" mode="reach"/></xsl:if></xsl:variable>
<xsl:variable name="left"><xsl:call-template name="least"><xsl:with-param name="rows" select="$reach"/><xsl:with-param name="which" select="1"/><xsl:with-param name="sign" select="-1"/></xsl:call-template></xsl:variable>
<xsl:variable name="right"><xsl:call-template name="least"><xsl:with-param name="rows" select="$reach"/><xsl:with-param name="which" select="1"/><xsl:with-param name="sign" select="1"/></xsl:call-template></xsl:variable>
<xsl:variable name="top"><xsl:call-template name="least"><xsl:with-param name="rows" select="$reach"/><xsl:with-param name="which" select="2"/><xsl:with-param name="sign" select="-1"/></xsl:call-template></xsl:variable>
<xsl:variable name="bottom"><xsl:call-template name="least"><xsl:with-param name="rows" select="$reach"/><xsl:with-param name="which" select="2"/><xsl:with-param name="sign" select="1"/></xsl:call-template></xsl:variable>
<xsl:variable name="across" select="$right - $left"/>
<xsl:variable name="down" select="$bottom - $top"/>
<xsl:variable name="larger" select="$across * ($across &gt; $down) + $down * not($across &gt; $down)"/>
<!-- where all poles are one, bodies are stubs of some length -->
<xsl:variable name="plain-size" select="0.02 * ($larger * ($larger &gt; 1) + 1000 * not($larger &gt; 1))"/>

<xsl:template match="system|System|системаТел|СистемаТел" mode="plain">
  <xsl:variable name="margin" select="8 * $plain-size"/>
  <xsl:variable name="wide" select="$across + 2 * $margin"/>
  <xsl:variable name="high" select="$down + 2 * $margin"/>
  <xsl:variable name="fits" select="$wide * 520 &gt; $high * 640"/>
  <xsl:variable name="scale" select="(640 div $wide) * $fits + (520 div $high) * not($fits)"/>
  <xsl:for-each select="*[not(self::body|self::Body|self::тело|self::Тело|self::shape|self::форма|self::parameter|self::параметр|self::gravity|self::тяжесть|self::start|self::начало|self::motion|self::движение)]|//body/include|//тело/включить|//body/repeat|//тело/повтор|//body[@base]|//тело[@база]">
    <xsl:message>not drawn | не нарисовано: &lt;<xsl:value-of select="name()"/>&gt;</xsl:message>
  </xsl:for-each>
  <xsl:call-template name="break"/>
  <svg version="1.1" class="sistel-scheme" role="img" width="{format-number($wide * $scale, '0.##')}" height="{format-number($high * $scale, '0.##')}" viewBox="{format-number($left - $margin, '0.###')} {format-number($top - $margin, '0.###')} {format-number($wide, '0.###')} {format-number($high, '0.###')}">
    <xsl:call-template name="break"/>
    <title><xsl:value-of select="@name|@имя"/></title>
    <xsl:call-template name="break"/>
    <defs>
      <xsl:call-template name="style"/>
      <xsl:call-template name="marker"><xsl:with-param name="id" select="'земля'"/></xsl:call-template>
      <xsl:call-template name="marker"><xsl:with-param name="id" select="'шарнир'"/></xsl:call-template>
      <xsl:call-template name="marker"><xsl:with-param name="id" select="'каретка'"/><xsl:with-param name="orient" select="'auto'"/></xsl:call-template>
      <xsl:call-template name="marker"><xsl:with-param name="id" select="'направляющая'"/><xsl:with-param name="orient" select="'auto'"/></xsl:call-template>
      <xsl:call-template name="marker"><xsl:with-param name="id" select="'жёстко'"/></xsl:call-template>
      <xsl:call-template name="break"/>
    </defs>
    <xsl:call-template name="break"/>
    <rect class="paper" x="{format-number($left - $margin, '0.###')}" y="{format-number($top - $margin, '0.###')}" width="{format-number($wide, '0.###')}" height="{format-number($high, '0.###')}"/>
    <xsl:call-template name="break"/>
    <g id="тело_0" transform="translate(0,0)" stroke-width="{format-number(0.3 * $size, '0.####')}">
      <xsl:apply-templates select="shape|форма"><xsl:with-param name="ground" select="true()"/></xsl:apply-templates>
      <xsl:apply-templates select="(body|Body|тело|Тело)[not(@base|@база)]" mode="plain"/>
      <xsl:call-template name="break"/>
    </g>
    <xsl:call-template name="break"/>
  </svg>
  <xsl:call-template name="break"/>
</xsl:template>

<xsl:template match="*" mode="plain">
  <xsl:message terminate="yes">The root is &lt;<xsl:value-of select="name()"/>&gt;, expected &lt;system&gt;. | Корень — &lt;<xsl:value-of select="name()"/>&gt;, ожидалось &lt;системаТел&gt;.</xsl:message>
</xsl:template>

<xsl:template match="body|Body|тело|Тело" mode="plain">
  <xsl:variable name="at"><xsl:call-template name="pole"/></xsl:variable>
  <xsl:variable name="kind" select="substring-before(substring-after($joints, concat(' ', @joint|@КП, '=')), ';')"/>
  <xsl:if test="$kind = ''">
    <xsl:message terminate="yes">This joint cannot be drawn | Такое сочленение не нарисовать: "<xsl:value-of select="@joint|@КП"/>"</xsl:message>
  </xsl:if>
  <xsl:variable name="number"><xsl:number level="any" count="body|Body|тело|Тело"/></xsl:variable>
  <xsl:call-template name="break"/>
  <g transform="translate({$at})" data-joint="{$kind}">
    <xsl:attribute name="id">
      <xsl:text>тело_</xsl:text>
      <xsl:choose>
        <xsl:when test="@number|@номер"><xsl:value-of select="@number|@номер"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="$number"/></xsl:otherwise>
      </xsl:choose>
    </xsl:attribute>
    <xsl:if test="$kind = 'revolute' or $kind = 'free'"><xsl:attribute name="transform">translate(<xsl:value-of select="$at"/>) rotate(0)</xsl:attribute></xsl:if>
    <xsl:if test="$kind = 'prismatic' and @axis|@ось"><xsl:attribute name="data-axis"><xsl:value-of select="translate(@axis|@ось, ' ', '')"/></xsl:attribute></xsl:if>
    <xsl:if test="@name|@имя"><title><xsl:value-of select="@name|@имя"/></title></xsl:if>
    <xsl:if test="$kind != 'free'"><xsl:call-template name="plain-own"><xsl:with-param name="kind" select="$kind"/></xsl:call-template></xsl:if>
    <xsl:apply-templates select="body|Body|тело|Тело" mode="plain"/>
    <xsl:if test="$kind = 'free'"><xsl:call-template name="plain-own"><xsl:with-param name="kind" select="$kind"/></xsl:call-template></xsl:if>
  </g>
</xsl:template>

<!-- Shapes, or lines to the poles of those that it carries; the mark of the joint. -->
<xsl:template name="plain-own">
  <xsl:param name="kind"/>
  <xsl:variable name="inner" select="body|Body|тело|Тело"/>
  <xsl:apply-templates select="shape|форма|box|коробка|circle|круг|polygon|многоугольник|polyline|ломаная"><xsl:with-param name="ground" select="false()"/></xsl:apply-templates>
  <xsl:if test="not(shape|форма|box|коробка|circle|круг|polygon|многоугольник|polyline|ломаная)">
    <xsl:for-each select="$inner">
      <xsl:variable name="at"><xsl:call-template name="pole"/></xsl:variable>
      <xsl:if test="$at != '0,0'"><xsl:call-template name="break"/><path d="m0,0l{$at}" class="link"/></xsl:if>
    </xsl:for-each>
    <xsl:if test="not($inner)"><xsl:call-template name="break"/><path d="m0,0v{format-number(7 * $size, '0.###')}" class="link"/></xsl:if>
  </xsl:if>
  <xsl:variable name="ground" select="not(parent::body|parent::Body|parent::тело|parent::Тело)"/>
  <xsl:variable name="along"><xsl:choose>
    <xsl:when test="@axis = 'y' or @ось = 'y'">90</xsl:when>
    <xsl:when test="@axis = '-y' or @ось = '-y'">-90</xsl:when>
  </xsl:choose></xsl:variable>
  <xsl:if test="$ground and ($kind = 'revolute' or $kind = 'fixed')">
    <xsl:call-template name="place"><xsl:with-param name="id" select="'земля'"/></xsl:call-template>
  </xsl:if>
  <xsl:choose>
    <xsl:when test="$kind = 'revolute'"><xsl:call-template name="place"><xsl:with-param name="id" select="'шарнир'"/></xsl:call-template></xsl:when>
    <xsl:when test="$kind = 'fixed'"><xsl:call-template name="place"><xsl:with-param name="id" select="'жёстко'"/></xsl:call-template></xsl:when>
    <xsl:when test="$kind = 'prismatic' and $ground"><xsl:call-template name="place"><xsl:with-param name="id" select="'каретка'"/><xsl:with-param name="turn" select="string($along)"/></xsl:call-template></xsl:when>
    <xsl:when test="$kind = 'prismatic'"><xsl:call-template name="place"><xsl:with-param name="id" select="'направляющая'"/><xsl:with-param name="turn" select="string($along)"/></xsl:call-template></xsl:when>
  </xsl:choose>
</xsl:template>

<!-- Where a body is on the one that carries it: two numbers. -->
<xsl:template name="pole">
  <xsl:variable name="said" select="translate(@place|@место|@КПТ|@кпт, ' ', '')"/>
  <xsl:variable name="px" select="number(substring-before($said, ','))"/>
  <xsl:variable name="py" select="number(substring-after($said, ','))"/>
  <xsl:choose>
    <xsl:when test="$said = ''">0,0</xsl:when>
    <xsl:when test="string($px) = 'NaN' or string($py) = 'NaN'">
      <xsl:message terminate="yes">"<xsl:value-of select="@place|@место|@КПТ|@кпт"/>" is no pair of numbers; formulas and units are evaluated by: sistel convert IN OUT --canonical | "<xsl:value-of select="@place|@место|@КПТ|@кпт"/>" — не пара чисел; формулы и единицы вычисляет: sistel convert ИЗ В --canonical</xsl:message>
    </xsl:when>
    <xsl:otherwise><xsl:value-of select="$px"/>,<xsl:value-of select="$py"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<!-- A row "x,y,r;" for every body, in the axes of the ground: at zero nothing is turned. -->
<xsl:template match="*" mode="reach">
  <xsl:param name="bx" select="0"/>
  <xsl:param name="by" select="0"/>
  <xsl:variable name="at"><xsl:choose>
    <xsl:when test="self::body|self::Body|self::тело|self::Тело"><xsl:call-template name="pole"/></xsl:when>
    <xsl:otherwise>0,0</xsl:otherwise>
  </xsl:choose></xsl:variable>
  <xsl:variable name="wx" select="$bx + substring-before($at, ',')"/>
  <xsl:variable name="wy" select="$by + substring-after($at, ',')"/>
  <xsl:value-of select="$wx"/>,<xsl:value-of select="$wy"/>,<xsl:text/>
  <xsl:call-template name="largest"><xsl:with-param name="words"><xsl:for-each select="(shape|форма)/@d"><xsl:value-of select="translate(., 'mMlLhHvVzZcCsSqQtTaA,&#10;', '                        ')"/><xsl:text> </xsl:text></xsl:for-each></xsl:with-param></xsl:call-template>
  <xsl:text>;</xsl:text>
  <xsl:apply-templates select="body|Body|тело|Тело" mode="reach"><xsl:with-param name="bx" select="$wx"/><xsl:with-param name="by" select="$wy"/></xsl:apply-templates>
</xsl:template>

<!-- The largest of some numbers, without signs. -->
<xsl:template name="largest">
  <xsl:param name="words"/>
  <xsl:param name="best" select="0"/>
  <xsl:variable name="text" select="normalize-space($words)"/>
  <xsl:choose>
    <xsl:when test="$text = ''"><xsl:value-of select="$best"/></xsl:when>
    <xsl:otherwise>
      <xsl:variable name="one" select="number(translate(substring-before(concat($text, ' '), ' '), '-', ''))"/>
      <xsl:call-template name="largest">
        <xsl:with-param name="words" select="substring-after($text, ' ')"/>
        <xsl:with-param name="best"><xsl:choose>
          <xsl:when test="$one &gt; $best"><xsl:value-of select="$one"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="$best"/></xsl:otherwise>
        </xsl:choose></xsl:with-param>
      </xsl:call-template>
    </xsl:otherwise>
  </xsl:choose>
</xsl:template>

<!-- The least (sign -1) or the largest (1) of x (1) or y (2) of rows "x,y,r;", with what is around. -->
<xsl:template name="least">
  <xsl:param name="rows"/>
  <xsl:param name="which"/>
  <xsl:param name="sign"/>
  <xsl:param name="best" select="'none'"/>
  <xsl:choose>
    <xsl:when test="not(contains($rows, ';'))"><xsl:value-of select="$best"/></xsl:when>
    <xsl:otherwise>
      <xsl:variable name="row" select="substring-before($rows, ';')"/>
      <xsl:variable name="rest" select="substring-after($row, ',')"/>
      <xsl:variable name="found" select="substring-before($row, ',') * ($which = 1) + substring-before($rest, ',') * ($which = 2) + $sign * substring-after($rest, ',')"/>
      <xsl:call-template name="least">
        <xsl:with-param name="rows" select="substring-after($rows, ';')"/>
        <xsl:with-param name="which" select="$which"/>
        <xsl:with-param name="sign" select="$sign"/>
        <xsl:with-param name="best"><xsl:choose>
          <xsl:when test="$best = 'none' or $sign * $found &gt; $sign * $best"><xsl:value-of select="$found"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="$best"/></xsl:otherwise>
        </xsl:choose></xsl:with-param>
      </xsl:call-template>
    </xsl:otherwise>
  </xsl:choose>
</xsl:template>
</xsl:stylesheet>
