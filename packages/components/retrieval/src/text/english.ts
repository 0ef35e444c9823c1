/** Concepts of common domains of tools, in general English: groups of related words, one a line, without words of a product. */
export const english = `
weather forecast climate temperature rain rainy rainfall snow storm humidity wind sunny cloudy degrees fahrenheit celsius
travel trip tourist tourism tourists attraction attractions sightseeing vacation holiday destination destinations itinerary journey tour visit getaway
hotel accommodation lodging resort hostel stay motel room rooms
flight flights airline airlines airport plane fly airfare
train railway rail bus metro transit transport subway commute
car vehicle automobile drive driving
map maps location place places nearby address geographic coordinates latitude longitude gps geocode
route directions distance navigate navigation path
restaurant restaurants dining eat dinner lunch cafe cuisine
food meal meals recipe recipes cook cooking ingredient ingredients dish diet nutrition calories
finance financial money investment invest investing investor bank banking economic economy
stock stocks share shares equity market ticker portfolio trading trade
currency exchange forex dollar dollars euro usd eur conversion
crypto cryptocurrency blockchain token coin
payment pay transaction invoice bill billing checkout transfer
price prices cost costs fee rate quote worth value
loan mortgage interest credit debt
tax taxes income salary wage
buy buying purchase purchasing order shop shopping store product products goods item items retail merchant
discount discounts deal deals coupon coupons sale bargain cheap promotion voucher
house home homes property properties apartment housing realty rent rental renting neighborhood
job jobs career employment hiring position positions vacancy recruit recruitment resume interview
company companies business corporate firm enterprise organization startup
news headline headlines article articles journalism press media updates
paper papers research academic study studies scholar scholarly scientific science literature publication journal
course courses learn learning education educational training tutorial tutorials teach teaching school university college lesson class
book books novel reading library author
movie movies film films cinema theater watch tv series television
music song songs audio playlist album artist artists track concert band melody
video videos clip stream streaming footage
podcast podcasts episode episodes
picture pictures image images photo photos photograph photography drawing draw paint graphic illustration art artwork
game games gaming gamer player players play
sport sports football soccer basketball baseball tennis match team league score athlete
event events concert show performance festival ticket tickets
health medical medicine doctor disease symptom symptoms patient clinical hospital treatment drug therapy
fitness exercise workout gym training running yoga weight
gift gifts present birthday
charity donation donate nonprofit volunteer
astrology horoscope horoscopes
pet pets dog cat animal animals
plant plants garden gardening flower
law legal lawsuit court attorney lawyer case contract
crime police criminal
government politics political policy election parliament
history historical past ancient
space planet astronomy star solar
energy electricity power oil gas fuel petrol
air pollution quality environment environmental carbon emission emissions
time date day calendar schedule clock hour timezone
meeting appointment reservation booking book reserve
reminder alarm notification notify alert alerts
email mail inbox message messages sms text chat send
phone call telephone contact contacts
social post posts followers
website websites site web webpage page url link domain internet online browse browser
search find look lookup query discover locate
get fetch retrieve obtain load read show display view
create make generate add new build produce write compose
delete remove erase drop clear cancel
update edit modify change alter set adjust revise
list enumerate all
calculate compute calculator math mathematical arithmetic equation evaluate solve
sum add addition total plus
average mean statistics statistical median deviation
multiply product multiplication times
divide division quotient
area perimeter geometry triangle circle rectangle shape
sort order arrange rank ranking
filter select choose
compare comparison versus difference
analyze analysis analytics insight insights examine evaluate
predict prediction forecast estimate projection
recommend recommendation recommendations suggest suggestion suggestions advice
summarize summary summarise brief overview digest abstract
translate translation language languages english spanish french
grammar spelling proofread writing writer copywriting essay
code coding programming program developer software function script
repository repositories repo git project projects commit
bug issue issues error debug fix
test testing tests check verify validate validation
file files document documents pdf folder directory doc
spreadsheet sheet table csv worksheet
presentation slide slides
word document paragraph
chart charts graph plot diagram visualization visualize
database sql query table record records row rows
data dataset datasets information info details
machine model ai neural ml training
convert conversion transform format
encrypt password secure security authentication login
user account profile member customer
download upload save store storage
execute run command terminal shell process
server network host ip port dns
container cluster deploy deployment
trend trends trending popular hot top
marketing advertising ads advertisement campaign seo keyword
review reviews rating ratings feedback opinion
probability chance random dice
chemistry chemical molecule compound element reaction
physics force velocity acceleration speed motion
biology gene genetic dna protein cell species
device light lights smart thermostat temperature
volume loud louder sound speaker
age birthday old
population country city state region capital
`
